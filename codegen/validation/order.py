"""Rule names that affect the order of evaluation, shared by the printer and the interpreter."""

from __future__ import annotations

INLINE = "."
"""The field name in a row about an embedded struct, which has no path. Rows about the type itself have no name."""
SHORT_CIRCUITS = ("required", "optional", "forbidden", "immutable", "update", "maxItems", "maxProperties")
"""Rules that end the evaluation of a field if they find a problem, or if the field has no value."""
CONDITIONS = ("ifEnabled", "ifDisabled")
"""Rules that contain another rule, for servers with or without a feature."""
