"""Applying what a command line asks for, object by object, past those that fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError

from .console import console
from .merging import How, Merged, merge, pair
from .tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .merging import Inputs
    from .options import Asked


class Applying:
    """The objects of a command line, each applied when its turn comes; one that fails is reported and counted."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.failed = 0
        self._how = How(asked.overwrite, asked.safe, asked.lists)

    @property
    def exit_code(self) -> int:
        """2 once an object has failed."""
        return 2 if self.failed else 0

    def __iter__(self) -> Iterator[Merged]:
        for inputs in self.inputs():
            _tell_inputs(inputs)
            try:
                merged = merge(inputs, self._how)
            except MergeError as error:
                self.failed += 1
                console().complain(f"{inputs.manifest.place}: {inputs.title}: {error}")
            else:
                _tell(merged)
                yield merged

    def inputs(self) -> Iterator[Inputs]:
        """The objects of the config, each with its live one."""
        asked = self.asked
        found = tables(asked.release, asked.schema)
        return pair(asked.config, asked.live, asked.last, found, namespace=asked.namespace, recursive=asked.recursive)


def _tell_inputs(inputs: Inputs) -> None:
    if inputs.schema is None:
        console().say(f"{inputs.title}: no schema is known; lists are replaced (see --schema)")
    at = inputs.live.place if inputs.live else "not there, so it is created"
    console().detail(f"{inputs.title}: config {inputs.manifest.place}; live {at}")


def _tell(merged: Merged) -> None:
    outcome = merged.outcome
    for warning in outcome.warnings:
        console().say(f"{merged.inputs.title}: warning: {warning}")
    schema = merged.inputs.schema
    by = f"by the rules of Kubernetes {schema.release}" if schema and schema.release else "by its own schema"
    console().detail(f"{merged.inputs.title}: patch type {outcome.patch_type}{f', {by}' if schema else ''}")
