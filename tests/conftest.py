"""What all tests share: how much hypothesis tries."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Nothing here is measured against a clock: a busy machine must not fail a test.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", _patient, max_examples=100, derandomize=True, print_blob=True)
settings.register_profile("thorough", _patient, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
