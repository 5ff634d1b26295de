"""The tests, and the tools they share. With KUBEMERGE_ACCELERATE=1, they run with orjson (`tox -e accelerated`)."""

import os

if os.environ.get("KUBEMERGE_ACCELERATE"):
    from engine.values.go_json import accelerate

    assert accelerate(), "orjson is not installed"
