"""Documents that are too deep, or hold themselves, in this process and with a small stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import FieldSet, TooDeep, field_owners, upgrade_managed_fields
from engine.values.guard import run_on_fresh_stack
from tests.conftest import python
from tests.deep import circle, nested, on_a_small_stack

if TYPE_CHECKING:
    from pathlib import Path


def test_no_document_is_too_deep_for_the_engine() -> None:
    assert on_a_small_stack() == []


@pytest.mark.parametrize("value", [nested(3_000, "f:a"), circle("f:a", "f:b")], ids=["3,000 levels", "a circle"])
def test_too_deep_is_the_error(value: dict[str, Any]) -> None:
    live = {"metadata": {"managedFields": value}}
    for work, given in ((FieldSet.parse, value), (field_owners, live), (upgrade_managed_fields, live)):
        with pytest.raises(TooDeep):
            work(given)


def test_a_fresh_stack_is_large_where_those_of_threads_are_small(tmp_path: Path) -> None:
    """Threads of musl have 128 KiB by default, which a recursion of C functions exceeds before Python counts 1,000."""
    program = (
        "import json, threading\n"
        "from engine.values.guard import run_on_fresh_stack\n"
        "threading.stack_size(64 * 1024)\n"
        "text = '[' * 900 + ']' * 900\n"
        "assert run_on_fresh_stack(lambda: json.dumps(json.loads(text))) == text\n"
        "print(threading.stack_size())\n"
    )
    assert python(program, cwd=tmp_path) == f"{64 * 1024}\n"


def test_without_threads_and_stack_sizes_the_error_is_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser."""

    def fails(*_: object) -> int:
        raise RuntimeError

    monkeypatch.setattr("_thread.stack_size", lambda *size: fails() if size else 0)
    monkeypatch.setattr("_thread.start_new_thread", fails)
    with pytest.raises(TooDeep):
        run_on_fresh_stack(lambda: 1)
