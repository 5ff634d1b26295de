"""One run of lint: its files, its messages, and the schemas of its objects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import engine

from ....apiserver.kinds.builtin_kinds import DEFINITION
from ....linting.gathering import definitions_of
from ...inputs import files as files_of
from ...terminal.console import console

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....linting.files import LintInputs
    from ....linting.reports.model import Report
    from ....linting.repository.git import Before
    from ....offline.pairs import Inputs
    from ....offline.tables import Schemas


def before(given: LintInputs, then: Before) -> LintInputs:
    """The same files as they were in a revision; those that were not there then are left out."""
    old = [(source, data) for source, _ in given.files if (data := then.content(source)) is not None]
    return given.with_files(old)


def tell(inputs: Inputs) -> None:
    """Print the places of the config and the live object with -v."""
    if not console().verbose:
        return
    at = inputs.live.place if inputs.live else "none"
    console().detail(f"{inputs.title}: config {inputs.manifest.place}, live {at}")


def differing_definitions(files: Sequence[tuple[str, bytes]], report: Report) -> Iterator[str]:
    """A line for each kind that has two definitions which differ: which one is used."""
    often = Counter(one.id for one in report.linted if one.id.group_kind == DEFINITION)
    names = {identity.name for identity, count in often.items() if count > 1}
    if not names:
        return
    seen: dict[str, list[Any]] = {}
    for one in definitions_of(files):
        if one.id.name in names:
            seen.setdefault(one.id.name, []).append(one)
    for name, found in seen.items():
        other = next((one for one in found if one.content.get("spec") != found[-1].content.get("spec")), None)
        if other is not None:
            yield (
                f"{name} has different definitions in {other.place} and {found[-1].place}. The last one "
                "is used for all objects. Exclude one of them with --exclude"
            )


def schemas(release: str, specifications: Sequence[str], definitions: Sequence[Any]) -> Schemas:
    """The schemas of the objects: of a release, of specifications, and of definitions among the objects.

    A definition that cannot be read is a finding, which the cache repeats. It is no message as well.
    """
    from ....offline.tables import Schemas, specification
    from ...inputs import tell

    def tell_definition(said: str, is_problem: bool) -> None:
        if not is_problem:
            tell(said, False)

    over = [specification(one, files_of()) for one in specifications]
    return Schemas(engine.load(release), over, definitions, tell_definition)
