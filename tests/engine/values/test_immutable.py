"""Records never change, and can be compared, copied and pickled."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest

import engine
from engine.linter.findings import Finding

if TYPE_CHECKING:
    from engine.values.immutable import Immutable

SERVICE = engine.load("1.37").schema("v1", "Service")
RECORDS: dict[str, Immutable] = {
    "rule": engine.Rule("list", "core_v1.ServicePort", "merge,retainKeys", "port", "map", ("port", "protocol")),
    "type": SERVICE.type,
    "finding": Finding("KM001", "duplicate-merge-key", "error", ("spec", (("port", 53),)), "It happens.", "Mend it."),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_record_never_changes(record: Immutable) -> None:
    for name in record.__slots__:
        with pytest.raises(AttributeError, match=rf"is immutable\. '{name}' cannot be set"):
            setattr(record, name, None)
        with pytest.raises(AttributeError, match=rf"is immutable\. '{name}' cannot be removed"):
            delattr(record, name)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_copy_is_equal(record: Immutable) -> None:
    for other in copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record)):
        assert other == record
        assert hash(other) == hash(record)
        assert repr(other) == repr(record)
    assert record != object()


def test_the_fields_of_a_type_cannot_be_changed_either() -> None:
    with pytest.raises(TypeError):
        SERVICE.type.fields["spec"] = engine.Rule("any")  # type: ignore[index]
