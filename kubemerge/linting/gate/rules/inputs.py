"""What is wrong with the files together."""

from __future__ import annotations

from engine.linter import LintRule

from ..record import SERVER

TWICE = LintRule(
    "KM301",
    "object-twice",
    "error",
    meaning="The same object is twice in one input, so the second overwrites the first.",
    way_out="Remove one of them, or give it another name or namespace.",
    explanation="""
        Two objects with the same group, kind, namespace and name, in one file or stream, or in two files of one
        folder, however they are named, unless `-R` is given. `kubectl apply -f` takes them one after the other, and
        the last wins. Files of other folders may be meant for different clusters, so they are not compared.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data: {a: "1"}
        ---
        # config
        data: {a: "2"}
        """,
    about=SERVER,
)

RULES = {TWICE.code: TWICE}
