"""Names in rows of declared validation that decide the order of evaluation, for the printer and the interpreter."""

from __future__ import annotations

INLINE = "."
"""The field of a row about an embedded struct, which has no path of its own. Rows about the type itself have none."""
SHORT_CIRCUITS = ("required", "optional", "forbidden", "immutable", "update", "maxItems", "maxProperties")
"""Rules that end the evaluation of a field if they find a problem, or if the field has no value."""
CONDITIONS = ("ifEnabled", "ifDisabled")
"""Rules that hold another rule, for servers with or without a feature."""
