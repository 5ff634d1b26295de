"""The names of types, which are imported on first use."""

from __future__ import annotations

import importlib

import pytest

from engine import aliases, typed


@pytest.mark.parametrize("name", sorted(typed.__all__))
def test_name_resolves_to_its_type(name: str) -> None:
    """With a new import of the module: a name is cached after its first use."""
    fresh = importlib.reload(aliases)
    vars(fresh).pop(name, None)
    assert getattr(fresh, name) is getattr(typed, name)


def test_unknown_name_is_rejected() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        aliases.__getattr__("Nothing")
