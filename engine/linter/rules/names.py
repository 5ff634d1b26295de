"""Fields that the schema does not know."""

from __future__ import annotations

from ...directives import is_directive
from ...tables.shapes import fold
from ..findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...tables.rules import Type
    from ..context import Case
    from ..places import Place


def unknown_fields(case: Case, place: Place) -> Iterator[Finding]:
    """KM015: a field of the config that its type does not have, and what was probably meant."""
    holder = place.holder
    if holder is None or type(place.config) is not dict or holder.rule.open or (place.rule and place.rule.open):
        return
    if place.rule is None or not holder.fields:
        return
    for name in place.config:
        if name not in holder.fields and not is_directive(name) and not _is_status(case, place, name):
            yield Finding("KM015", (*place.steps, name), *_sentences(case, holder, name))


def _is_status(case: Case, place: Place, name: str) -> bool:
    """Whether it is the status of a custom resource, which definitions need not describe."""
    return name == "status" and not place.steps and not (case.schema and case.schema.built_in)


def _sentences(case: Case, holder: Type, name: str) -> tuple[str, str]:
    where = f" of Kubernetes {case.schema.release}" if case.schema and case.schema.built_in else ""
    kind = holder.name.rpartition(".")[2] or "the object"
    message = f"There is no field {name!r} in {kind}{where}, so the server drops it"
    exact = [known for known in holder.fields if fold(known) == fold(name)]
    if exact:
        return f"{message}: capitals matter in {exact[0]!r}.", f"Write {exact[0]!r}."
    from difflib import get_close_matches  # only few configs need it

    near = get_close_matches(name, list(holder.fields), n=2, cutoff=0.7)
    if near:
        meant = " or ".join(map(repr, near))
        return f"{message}: did you mean {meant}?", f"Write {meant}, or remove the field."
    return f"{message}.", ""
