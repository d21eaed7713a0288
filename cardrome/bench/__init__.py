"""Everything that is measured; `cardrome bench` is its front."""
