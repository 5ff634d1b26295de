"""Results of a comparison: of rules, or of the objects of a config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....apiserver.text.text import how_many
from ...failures import Failures
from ...terminal.console import console
from .config import inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....compare.chain import Side
    from ....compare.model import Comparison, Replay
    from .config import Objects


class Compared:
    """The compared rules of the sides."""

    failed = 0

    def __init__(self, chain: Sequence[Side], kinds: Sequence[str], severity: str, *, server_side: bool) -> None:
        from ....compare.chain import about_ownership, at_least, compare
        from ....kinds.find import find_all

        keys = {key for side in chain for key in side.kinds()}
        found = compare(chain, find_all(kinds, keys) if kinds else None)
        self._found: Comparison = at_least(about_ownership(found) if server_side else found, severity)

    @property
    def differs(self) -> bool:
        """Whether any change is left."""
        return bool(self._found.changes)

    def page(self) -> str:
        """The comparison as HTML."""
        from ....html import compare_page

        return compare_page(self._found)

    def printed(self, form: str) -> str:
        """The comparison in one of the forms."""
        from ....compare.reports import facts, markdown, text

        if form == "json":
            return _json(facts.comparison_facts(self._found))
        if form == "html":
            return self.page()
        return (markdown.comparison_markdown if form == "markdown" else text.comparison_text)(self._found)


class Replays:
    """The objects of a config, applied on each side."""

    def __init__(self, chain: Sequence[Side], objects: Objects, severity: str) -> None:
        from ....compare.replay import replay
        from ....compare.reports.upgrade import refused_throughout
        from ....compare.upgrade.folded import at_least, hidden
        from ....offline.tables import Schemas

        for side in chain:
            if side.only:
                raise click.UsageError(
                    f"{side.name} is a single kind. With -f, pass a release or specification instead"
                )
        newest = Schemas(chain[-1].tables)
        self._sides = [side.name for side in chain]
        self._release = chain[-1].tables.release
        self._failures = Failures()
        found = [replay(one, chain) for one in inputs(objects, newest, self._failures)]
        self._found: list[Replay] = [at_least(one, severity) for one in found]
        self._hidden = hidden(found, severity)
        self._tell_of_unknown(chain)
        refused = refused_throughout(found)
        if refused and severity != "info":
            console().say(f"{refused} (use --severity info for the reasons)")

    def _tell_of_unknown(self, chain: Sequence[Side]) -> None:
        """Report objects whose kind no side has, because "no changes" would be too strong a claim about them."""
        from ....compare.replay import is_known, key_of

        unknown = [key_of(one.config) for one in self._found if one.has_result and not is_known(one.config, chain)]
        if unknown:
            named = ", ".join(sorted({f"{kind} of {version}" for version, kind in unknown}))
            console().say(
                f"no schema for {how_many(len(unknown), 'object')} ({named}), so only kubectl's merge is "
                "compared (see --schema)"
            )

    @property
    def any_read(self) -> bool:
        """Whether there is an object to report."""
        return bool(self._found)

    @property
    def differs(self) -> bool:
        """Whether there is a finding about an object."""
        return any(replay.differs for replay in self._found)

    @property
    def failed(self) -> int:
        """2 if an object has no result on any side, which is reported. Otherwise 0. A removed kind is a finding."""
        hopeless = [replay for replay in self._found if not replay.has_result and not replay.is_gone]
        for replay in hopeless:
            console().complain(f"{replay.title} has no result: {replay.groups[-1].problem}")
        return 2 if hopeless else self._failures.exit_code

    def page(self) -> str:
        """The replays as HTML."""
        from ....html import replay_page

        return replay_page(self._found)

    def printed(self, form: str) -> str:
        """The replays in one of the forms."""
        from ....compare.reports import facts, markdown, upgrade

        if form == "json":
            return _json([facts.replay_facts(replay) for replay in self._found])
        if form == "html":
            return self.page()
        printed = markdown.upgrade_markdown if form == "markdown" else upgrade.upgrade_text
        return printed(self._found, self._sides, self._hidden)

    def write(self) -> None:
        """Rewrite the files and report the edits."""
        from ....offline.rewriting import convert

        if self._release is None:
            raise click.UsageError("--write requires a release as the last side")
        there = ((one.source, one.line, one.item, one.config) for one in self._found)
        for line in convert(there, self._release):
            console().report(line)


def _json(facts: object) -> str:
    import json

    return json.dumps(facts, indent=2, ensure_ascii=False)
