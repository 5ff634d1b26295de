"""The names of Go's types in the table of fields."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.decoding.go_types import element
from kubemerge.apiserver.warnings.pods import profile


@pytest.mark.parametrize(
    ("type_", "inner"),
    [("[]v1.X", "v1.X"), ("map[string]v1.Y", "v1.Y"), ("[]x=y", "y"), ("=z", "z"), ("map[a]b=c", "c"), ("", "")],
)
def test_the_type_of_elements(type_: str, inner: str) -> None:
    assert element(type_) == inner


@pytest.mark.parametrize(
    ("annotation", "meant"),
    [
        ("unconfined", {"type": "Unconfined"}),
        ("runtime/default", {"type": "RuntimeDefault"}),
        ("localhost/a", {"type": "Localhost", "localhostProfile": "a"}),
        ("localhost/", None),
        ("a", None),
        ("", None),
    ],
)
def test_the_profile_that_an_annotation_means(annotation: str, meant: dict[str, str] | None) -> None:
    assert profile(annotation) == meant
