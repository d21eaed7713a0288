# Everything runs inside .venv, which the first target that needs it sets up.
# Afterwards nothing is downloaded again until pyproject.toml changes.
#
#   make test PYTHON=python3.12      another interpreter (for a new .venv)
#   make test JOBS=2                 fewer test processes
#   make test PYTEST_ARGS='-k area'  a selection of tests

PYTHON ?= python3
# Two test processes for each core: many tests wait for servers, clocks and other processes.
CORES := $(shell nproc 2>/dev/null || echo 2)
JOBS ?= $(shell expr 2 \* $(CORES))
PYTEST_ARGS ?=

# Tests start hundreds of processes; without bytecode each would compile our sources again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# Stamps: the package alone, the package with its development tools, the package with what builds its documentation.
PLAIN := $(VENV)/.cardrome-plain
DEV := $(VENV)/.cardrome-dev
DOCS := $(VENV)/.cardrome-docs

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test test-quick coverage lint docs bench format clean new-venv

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(PLAIN) ## set up if needed, then run the demonstration
	@$(BIN)/cardrome demo

test: $(DEV) ## install what tests need, then run all of them in parallel
	@tests/install-tools
	@$(BIN)/python -m tests.compile_ahead
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

# What a change in rules, protocols or statistics breaks first. No servers, browsers or long games.
QUICK := tests/games/locm/rules tests/games/tapdeck/rules tests/games/test_rules_index.py tests/games/test_agents.py \
  tests/games/locm/protocol/test_answers.py tests/games/locm/protocol/test_inputs.py tests/arena/test_elo.py \
  tests/arena/test_sprt.py tests/arena/test_statistics.py tests/arena/test_openings.py tests/test_*.py tests/docs/test_site.py

test-quick: $(DEV) ## run the tests that take a moment
	@$(BIN)/cardrome warm
	@HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal $(QUICK) $(PYTEST_ARGS)

# Compiled code cannot be seen by coverage.py, so the rules run in the interpreter, which is slow: with few examples, and
# a sample of the golden games.
COVERED := tests/games/locm/rules tests/games/tapdeck/rules tests/games/locm/protocol tests/games/tapdeck/protocol \
  tests/engine/test_bits.py tests/engine/test_java*.py tests/engine/test_random.py tests/engine/test_records.py \
  tests/conformance/test_golden.py::test_a_sample_in_the_interpreter

coverage: $(DEV) ## measure which lines and branches of rules and protocols tests reach
	@rm -rf build/coverage
	@NUMBA_DISABLE_JIT=1 HYPOTHESIS_PROFILE=quick \
	  $(BIN)/coverage run -m pytest -q -n $(CORES) --dist worksteal $(COVERED) $(PYTEST_ARGS)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

lint: $(DEV) ## check style, formatting, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

docs: $(DOCS) ## build the documentation as a site: build/docs/index.html
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -c docs/site docs build/docs
	@echo "Open build/docs/index.html"

bench: $(PLAIN) ## measure the speed of this machine
	@$(BIN)/cardrome bench

format: $(DEV) ## put the source into the house format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## remove caches and build products, keep .venv
	@rm -rf build dist htmlcov
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -path ./$(VENV) -prune -o -path ./.git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

$(PLAIN): pyproject.toml
	@echo "Installing cardrome into $(VENV), about 400 MB: a minute or two ..."
	@$(PIP) install --editable .
	@touch $@

$(DEV): pyproject.toml
	@echo "Installing cardrome and its development tools into $(VENV), over 2 GB: some minutes ..."
	@$(PIP) install --editable '.[dev]'
	@touch $(PLAIN) $(DOCS) $@

$(DOCS): pyproject.toml
	@echo "Installing cardrome and what builds its documentation into $(VENV) ..."
	@$(PIP) install --editable '.[docs]'
	@touch $(PLAIN) $@

# A missing, half-made or broken .venv is made anew, and the package installed again.
ifneq ($(shell $(BIN)/python -c 'import pip; print("works")' 2>/dev/null),works)
$(PLAIN) $(DEV) $(DOCS): new-venv
endif

new-venv:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "error: '$(PYTHON)' was not found. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python3" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: Cardrome needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "       Name a newer one: make PYTHON=python3.12" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "error: '$(PYTHON)' cannot make virtual environments: its venv or ensurepip module is missing." >&2; \
	  echo "       On Debian and Ubuntu: apt install python3-venv" >&2; \
	  exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version 2>&1) ..."
	@$(PYTHON) -m venv --clear $(VENV)
