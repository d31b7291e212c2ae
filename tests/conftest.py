"""How much the tests try: a share by default, all of it under --config=long."""

import os

import hypothesis

# --config=long multiplies the number of random inputs by this.
SCALE = int(os.environ.get("OASR_TEST_SCALE", "1"))

hypothesis.settings.register_profile(
    "oasr",
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=100 * SCALE,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("oasr")
