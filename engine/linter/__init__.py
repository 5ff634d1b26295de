"""Says what apply would lose, before it is applied: findings with stable codes, derived from the merge tables."""

from __future__ import annotations

from ..clientside.apply import READ
from ..values.guard import with_room
from .context import Case
from .findings import CODES, Finding
from .rules import (
    choices,
    duplicates,
    kinds,
    leaks,
    names,
    owned,
    protocols,
)
from .rules import (
    equivalents as forms,
)
from .rules import (
    last_applied as history,
)
from .rules import (
    live_only as strangers,
)
from .rules import (
    never_unchanged as restless,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tables.schema import Schema
    from ..tables.tables import Tables
    from ..values.plain import Object

__all__ = ["CODES", "Finding", "lint"]

OF_THE_DOCUMENTS = (
    history.missing,  # KM007
    history.stale,  # KM008
    history.other_version,  # KM009
    history.too_large,  # KM010
    history.secrets,  # KM011
    restless.never_unchanged,  # KM014
    history.failure,  # KM021
    history.other_object,  # KM024
    owned.refused,  # KM025
    owned.ignored,  # KM026
    kinds.unknown,  # KM027
)
"""Checks that look at everything at once."""

OF_EVERY_PLACE = (
    duplicates.duplicate_keys,  # KM001
    duplicates.narrow_keys,  # KM002
    duplicates.lost_elements,  # KM003, KM022
    choices.left_over_members,  # KM004
    choices.left_over_choices,  # KM005
    strangers.ghosts,  # KM006
    protocols.replaced_lists,  # KM012
    protocols.merged_values,  # KM013
    restless.dropped_defaults,  # KM014
    names.unknown_fields,  # KM015
    forms.quantity_forms,  # KM016
    forms.int_or_string_forms,  # KM017
    leaks.leaks,  # KM018
    strangers.changed_keys,  # KM019
    strangers.wiped,  # KM020
    history.taken_over,  # KM023
)
"""Checks that look at one place after the other."""


def lint(
    config: Object,
    schema: Schema | None,
    *,
    live: Object | None = None,
    last_applied: Object | str | None = READ,
    tables: Tables | None = None,
) -> list[Finding]:
    """What `kubectl apply` of this config would lose or do unexpectedly, in the order of the paths.

    What was applied last is read from the live object's annotation, unless it is given as a document or as the text
    of the annotation; None stands for an object that was never applied. Without a live object, the config is taken
    to be new. Where no schema is known, the tables of a release tell whether that has no such kind.
    """
    found = with_room(lambda: list(_findings(Case(config, schema, live, last_applied, tables))))
    return sorted(dict.fromkeys(found), key=lambda finding: (finding.path, finding.code, finding.message))


def _findings(case: Case) -> Iterator[Finding]:
    for check in OF_THE_DOCUMENTS:
        yield from check(case)
    for place in case.places:
        for check_place in OF_EVERY_PLACE:
            yield from check_place(case, place)
