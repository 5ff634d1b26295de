"""The names of types, which are imported when somebody asks for one."""

from __future__ import annotations

import importlib

import pytest

from engine import aliases, typed


@pytest.mark.parametrize("name", sorted(typed.__all__))
def test_a_name_leads_to_its_type(name: str) -> None:
    """Asked of a new import of the module: a name that somebody has asked for is remembered."""
    fresh = importlib.reload(aliases)
    vars(fresh).pop(name, None)
    assert getattr(fresh, name) is getattr(typed, name)


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        aliases.__getattr__("Nothing")
