"""Documents that are too deep, or hold themselves, in this process and with a small stack."""

from __future__ import annotations

from typing import Any

import pytest

from engine import FieldSet, TooDeep, field_owners, upgrade_managed_fields
from tests.deep import circle, nested, on_a_small_stack


def test_no_document_is_too_deep_for_the_engine() -> None:
    assert on_a_small_stack() == []


@pytest.mark.parametrize("value", [nested(3_000, "f:a"), circle("f:a", "f:b")], ids=["3,000 levels", "a circle"])
def test_too_deep_is_the_error(value: dict[str, Any]) -> None:
    live = {"metadata": {"managedFields": value}}
    for work, given in ((FieldSet.parse, value), (field_owners, live), (upgrade_managed_fields, live)):
        with pytest.raises(TooDeep):
            work(given)
