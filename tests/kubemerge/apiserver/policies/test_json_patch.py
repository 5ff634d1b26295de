"""JSON patches of mutating policies."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.policies import json_patch
from kubemerge.apiserver.policies.json_patch import apply_operations
from kubemerge.apiserver.policies.values import PatchError


def test_copies_that_double_the_object_end_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_patch, "MAX_NODES", 20_000)
    doubling = [{"op": "copy", "from": "/a", "path": f"/a/{number}"} for number in range(25)]
    assert len(apply_operations({"a": {}}, doubling[:3])["a"]) == 3
    with pytest.raises(PatchError, match="copies more than"):
        apply_operations({"a": {}}, doubling)
