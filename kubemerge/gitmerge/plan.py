"""Plan a merge: for each part of base, ours and theirs, the side that it comes from. `render` writes the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.plain import same

from .order import OURS, THEIRS, aligned, chosen_side, has_moved_changes, ordered, runs
from .rules import identity, object_identity, typed
from .text import three_way

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from engine.paths import Step, Steps

    from .rules import Lookup, Place
    from .tree import Block, Part

    Three: TypeAlias = tuple[Part | None, Part | None, Part | None]
    """A part in base, ours and theirs."""


class Whole:
    """A part taken from one side, with all its lines."""

    def __init__(self, part: Part) -> None:
        self.part = part

    def values(self, side: int) -> list[Any]:  # noqa: ARG002 - the same on both sides
        """The values at this place if every conflict is resolved to one side."""
        return [self.part.value]

    def clashes(self) -> Iterator[Clash]:
        """The conflicts in it."""
        yield from ()


class Clash:
    """A conflict: the parts of each file. Some may be missing."""

    def __init__(self, base: Sequence[Part], ours: Sequence[Part], theirs: Sequence[Part], steps: Steps) -> None:
        self.sides = (base, ours, theirs)
        self.steps = steps

    def values(self, side: int) -> list[Any]:
        """The values of one side."""
        return [part.value for part in self.sides[side]]

    def clashes(self) -> Iterator[Clash]:
        """The conflict itself."""
        yield self


class Leaf:
    """A part without inner parts. Its value and the comments above and behind it may come from different sides."""

    def __init__(self, three: Three, chosen: Part, behind: str | None) -> None:
        self.three, self.chosen, self.behind = three, chosen, behind

    def values(self, side: int) -> list[Any]:  # noqa: ARG002 - the same on both sides
        """The chosen value."""
        return [self.chosen.value]

    def clashes(self) -> Iterator[Clash]:
        """No conflict of values."""
        yield from ()


class Inner:
    """A collection in which both sides have changed parts."""

    def __init__(
        self,
        three: tuple[Part | None, Part, Part],
        block: Block,
        inner: Sequence[tuple[str | None, Plan]],
        steps: Steps,
    ) -> None:
        self.three, self.block, self.inner, self.steps = three, block, inner, steps
        self.ours: Part = three[1]
        self.clash: Clash | None = None

    def give_up(self) -> Clash:
        """Make the whole collection a conflict, because its text cannot be merged by parts."""
        base, ours, theirs = self.three
        self.clash = Clash([base] if base else [], [ours], [theirs], self.steps)
        return self.clash

    def values(self, side: int) -> list[Any]:
        """The merged value. Conflicts in it are resolved to one side."""
        if self.clash:
            return self.clash.values(side)
        if self.block.is_map:
            return [dict(pair for key, plan in self.inner for pair in _entries(key, plan, side))]
        return [[value for _, plan in self.inner for value in plan.values(side)]]

    def clashes(self) -> Iterator[Clash]:
        """The conflicts in it."""
        if self.clash:
            yield self.clash
            return
        for _, plan in self.inner:
            yield from plan.clashes()


class TextLines:
    """A block of text that both sides changed: its lines are merged as git does."""

    def __init__(self, three: tuple[Part, Part, Part], steps: Steps) -> None:
        self.three, self.steps = three, steps
        texts = [str(part.value) for part in three]
        self._end = "\n" if all(text.endswith("\n") for text in texts) else ""
        self.lines = [text.removesuffix(self._end).split("\n") for text in texts]
        self.regions = aligned(*self.lines)

    def values(self, side: int) -> list[Any]:
        """The merged text. Conflicts in it are resolved to one side."""
        found: list[str] = []
        for region in self.regions or []:
            chosen = chosen_side(self.lines, region) or side
            at, end = region[chosen]
            found += self.lines[chosen][at:end]
        return ["\n".join(found) + self._end]

    def clashes(self) -> Iterator[Clash]:
        """One conflict, if some region has one."""
        if any(chosen_side(self.lines, region) is None for region in self.regions or []):
            base, ours, theirs = self.three
            yield Clash([base], [ours], [theirs], self.steps)


Plan = Whole | Clash | Leaf | Inner | TextLines


def _entries(key: str | None, plan: Plan, side: int) -> Iterator[tuple[str, Any]]:
    """The entries of a plan in a map. A renamed key has separate entries."""
    if key is None and isinstance(plan, Clash):
        yield from ((str(part.key), part.value) for part in plan.sides[side])
    else:
        yield from ((str(key), value) for value in plan.values(side))


class Planner:
    """Plans the merge of three documents."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    def part(self, three: Three, place: Place, steps: Steps) -> Plan | None:
        """The plan for one part. None if it is deleted."""
        base, ours, theirs = three
        if ours is None or theirs is None:
            return self._one_sided(three, steps)
        texts = [part.text() if part else None for part in three]
        if texts[2] in (texts[0], texts[1]):
            return Whole(ours)
        if texts[1] == texts[0]:
            return Whole(theirs)
        inner = self._inner(three, place, steps)
        if inner is not None:
            return inner
        return self._leaf(base, ours, theirs, steps)

    def _one_sided(self, three: Three, steps: Steps) -> Plan | None:
        """The plan for a part that ours or theirs does not have."""
        base, ours, theirs = three
        left = ours or theirs
        if left is None:
            return None
        if base is None:
            return Whole(left)
        if same(left.value, base.value) and left.notes() <= base.notes():
            return None
        return Clash([base], [ours] if ours else [], [theirs] if theirs else [], steps)

    def _leaf(self, base: Part | None, ours: Part, theirs: Part, steps: Steps) -> Plan:
        by_line = _text_lines(base, ours, theirs, steps)
        if by_line is not None:
            return by_line
        chosen = None
        if same(ours.value, theirs.value) or (base and same(theirs.value, base.value)):
            chosen = ours
        elif base and same(ours.value, base.value):
            chosen = theirs
        if chosen is not None:
            behind = [part.behind() if part else None for part in (base, ours, theirs)]
            if None not in behind:
                merged = three_way(behind)
                if merged is not None:
                    return Leaf((base, ours, theirs), chosen, merged)
            else:
                other = theirs if chosen is ours else ours
                known = base.notes(above=False) if base else set()
                if other.notes(above=False) <= known | chosen.notes(above=False):
                    return Leaf((base, ours, theirs), chosen, None)
        return Clash([base] if base else [], [ours], [theirs], steps)

    def _inner(self, three: Three, place: Place, steps: Steps) -> Plan | None:
        """The plan by parts. None if the text of a side does not allow it."""
        base, ours, theirs = three
        if ours is None or theirs is None or not (ours.block and theirs.block and ours.block.like(theirs.block)):
            return None
        if ours.inline != theirs.inline:
            return None
        known = base.block if base else None
        if known is not None and not known.like(ours.block):
            return None
        if base is not None and known is None and isinstance(base.value, (dict, list)) and base.value:
            return None
        known = known or ours.block.empty()
        blocks = (known, ours.block, theirs.block)
        found = self._map(blocks, place, steps) if known.is_map else self._list(blocks, place, steps)
        return None if found is None else Inner((base, ours, theirs), ours.block, found, steps)

    def _map(self, blocks: Sequence[Block], place: Place, steps: Steps) -> list[tuple[str | None, Plan]]:
        base, ours, theirs = ({str(part.key): part for part in block.parts} for block in blocks)
        plans = {}
        for key in {**ours, **theirs}:
            three = base.get(key), ours.get(key), theirs.get(key)
            plan = self.part(three, place.child(key), (*steps, key))
            if plan is not None:
                plans[key] = plan
        order = ordered(list(ours), list(theirs), plans, base)
        return _ordered_plans(order, (base, ours, theirs), plans, steps, ordered=False)

    def _list(self, blocks: Sequence[Block], place: Place, steps: Steps) -> list[tuple[str | None, Plan]] | None:
        lists = [[part.value for part in block.parts] for block in blocks]
        keys = place.keys(lists)
        if keys is None:
            return self._by_position(blocks, place, steps)
        sides = [{typed(identity(part.value, keys)): part for part in block.parts} for block in blocks]
        base, ours, theirs = sides
        order = _order_of([list(side) for side in sides])
        if order is None:
            return None
        plans: dict[Any, Plan] = {}
        for key in {**ours, **theirs}:
            three = base.get(key), ours.get(key), theirs.get(key)
            left = next(part for part in reversed(three) if part is not None)
            step = identity(left.value, keys)
            inner = place.element(left.value, self.lookup)
            plan = self.part(three, inner, steps if step is None else (*steps, step))
            if plan is not None:
                plans[key] = plan
        first, second = (theirs, ours) if order is THEIRS else (ours, theirs)
        found = ordered(list(first), list(second), plans, base)
        return [(None, plan) for _, plan in _ordered_plans(found, sides, plans, steps, ordered=place.is_ordered(lists))]

    def _by_position(self, blocks: Sequence[Block], place: Place, steps: Steps) -> list[tuple[str | None, Plan]] | None:
        """A list whose elements have no identity: both sides may change different regions."""
        parts = [block.parts for block in blocks]
        lists = [[part.value for part in side] for side in parts]
        found = aligned(*lists)
        if found is None or has_moved_changes(*lists):
            return None
        plans: list[tuple[str | None, Plan]] = []
        for ranges in found:
            base, ours, theirs = (side[at:end] for side, (at, end) in zip(parts, ranges, strict=True))
            plans += [(None, plan) for plan in self._region(base, ours, theirs, place, (*steps, ranges[1][0]))]
        return plans

    def _region(
        self, base: Sequence[Part], ours: Sequence[Part], theirs: Sequence[Part], place: Place, steps: Steps
    ) -> Iterator[Plan]:
        """A region of a list by position."""
        one, other, third = ([part.value for part in side] for side in (base, ours, theirs))
        if len(base) == len(ours) == len(theirs) and (same(one, other) or same(one, third)):  # by element, for comments
            for three in zip(base, ours, theirs, strict=True):
                plan = self.part(three, place.element(three[1].value, self.lookup), steps)
                if plan is not None:
                    yield plan
        elif same(third, other) or (same(third, one) and _notes(theirs) <= _notes([*base, *ours])):
            yield from map(Whole, ours)
        elif same(other, one) and _notes(ours) <= _notes([*base, *theirs]):
            yield from map(Whole, theirs)
        elif len(base) == len(ours) == len(theirs) == 1 and _have_one_name(one[0], other[0], third[0]):
            plan = self.part((base[0], ours[0], theirs[0]), place.element(other[0], self.lookup), steps)
            yield from [plan] if plan is not None else []
        else:
            yield Clash(base, ours, theirs, steps)


def _text_lines(base: Part | None, ours: Part, theirs: Part, steps: Steps) -> TextLines | None:
    """The merge of a block of text by line. None if a side is no block, or unless both sides changed only its lines."""
    if base is None or not all(part.is_text for part in (base, ours, theirs)):
        return None
    if len({part.head().strip() for part in (base, ours, theirs)}) > 1:
        return None
    if same(ours.value, base.value) or same(theirs.value, base.value) or same(ours.value, theirs.value):
        return None
    found = TextLines((base, ours, theirs), steps)
    return None if found.regions is None else found


def _notes(parts: Sequence[Part]) -> set[str]:
    """The comments in these parts."""
    return {note for part in parts for note in part.notes()}


def _have_one_name(*values: Any) -> bool:
    """Whether the same element, by its name, was changed on both sides."""
    if not all(isinstance(value, dict) for value in values):
        return False
    for key in ("name", "path"):
        found = [value.get(key) for value in values]
        if isinstance(found[0], str) and found.count(found[0]) == len(found):
            return True
    identities = [object_identity(value) for value in values]
    return identities[0] is not None and identities.count(identities[0]) == len(identities)


def _order_of(sides: Sequence[Sequence[Any]]) -> int | None:
    """The side that determines the order of the elements. None if both sides reordered them differently."""
    common = set(sides[0]).intersection(*sides[1:])
    base, ours, theirs = ([key for key in side if key in common] for side in sides)
    if theirs in (base, ours):
        return OURS
    if ours == base:
        return THEIRS
    return None


def _ordered_plans(
    order: Sequence[Any], sides: Sequence[dict[Any, Part]], plans: dict[Any, Plan], steps: Steps, *, ordered: bool
) -> list[tuple[Any, Plan]]:
    """The plans in order. A key that both sides renamed is a conflict.

    In a list whose order matters, additions of both sides at the same position are a conflict, too.
    """
    base, ours, theirs = sides
    found: list[tuple[Any, Plan]] = []
    for run in runs(order, list(base), ours, theirs):
        if run.is_rename or (ordered and run.ours and run.theirs):
            gone, added = [base[key] for key in run.gone], [ours[key] for key in run.ours]
            others = [theirs[key] for key in run.theirs]
            found.append((None, Clash(gone, added, others, steps)))
        else:
            found += [(key, plans[key]) for key in run.keys]
    return found


def document_steps(part: Part) -> tuple[Step, ...]:
    """The identity of a document, as the first step of paths in it."""
    found = object_identity(part.value)
    return () if found is None else (found,)
