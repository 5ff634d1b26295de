"""stringData of a Secret, which the API server moves to data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.secrets import data_of

from .rules import REMOVED, Computed, Default, Group, When

if TYPE_CHECKING:
    from ..unchecked import Object


def _has_texts(owner: Object) -> bool:
    """Whether all of stringData can be moved to data. Anything else is left to validation."""
    texts, data = owner.get("stringData"), owner.get("data")
    readable = isinstance(texts, dict) and all(isinstance(value, str) for value in texts.values())
    return readable and (data is None or isinstance(data, dict))


_TEXTS = When("stringData is a map of strings", _has_texts)
_SOME_TEXTS = When(
    "stringData is a map of strings, and not empty", lambda owner: _has_texts(owner) and owner["stringData"]
)

SECRETS = (
    Group(
        ("Secret",),
        "core/v1/conversion.go Convert_v1_Secret_To_core_Secret",
        (
            Default("data", Computed("data, merged with stringData in base64", data_of), _SOME_TEXTS, unset=None),
            Default("stringData", REMOVED, _TEXTS, unset=None),
        ),
    ),
    Group(("Secret",), "core/v1/defaults.go SetDefaults_Secret", (Default("type", "Opaque"),)),
)
