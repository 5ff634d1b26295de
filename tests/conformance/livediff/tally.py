"""Figures of a comparison: pairs, differences by command, by kind and by class."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from .compare import cause, differences, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .batch import Case
    from .ours import Answers

EXAMPLES = 2
"""How many examples of a class are printed."""
COMMANDS = ("diff", "diff -o json", "why --changed", "fleet drift", "merge")


class Tally:
    """What came out so far."""

    def __init__(self, show: int, named: str, command: str) -> None:
        self.show, self.named, self.command = show, named, command
        self.kinds: Counter[str] = Counter()
        self.different: dict[str, Counter[str]] = defaultdict(Counter)
        """By command, how many pairs of each kind differ."""
        self.classes: dict[str, Counter[str]] = defaultdict(Counter)
        self.alone: dict[str, Counter[str]] = defaultdict(Counter)
        """By command, how many pairs differ in one class alone."""
        self.examples: dict[tuple[str, str], list[str]] = {}
        self.stored: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()
        self.refused, self.changed, self.texts = 0, 0, Counter[bool]()

    @property
    def differing(self) -> bool:
        """Whether anything differs."""
        return any(self.different.values())

    def add(self, case: Case, answers: Answers, texts: tuple[str, str] | None) -> None:
        """Compare one case."""
        self.kinds[case["kind"]] += 1
        self.stored[case["kind"]] += case.get("stored") is not None
        self.refused += "refused" in case
        self.changed += "refused" not in case and case["before"] != case["merged"]
        if listed(case):
            self.listed[listed(case)] += 1
        found = differences(case, answers)
        if self.command:
            found = {command: lines for command, lines in found.items() if command == self.command}
        if texts is not None and "diff" not in found and case["id"] in answers.diff:
            self.texts[texts == answers.diff[case["id"]].texts] += 1
        for command, lines in found.items():
            self.different[command][case["kind"]] += 1
            named = {cause(line): line for line in reversed(lines)}
            for name, line in named.items():
                self.classes[command][name] += 1
                self.examples.setdefault((command, name), []).append(f"p{case['id']} {case['kind']}: {line}")
            self.alone[command].update([*named] if len(named) == 1 else ())
        told = [f"{command}: {line}" for command, lines in found.items() for line in lines]
        if self.show > 0 and any(self.named in line for line in told) and told:
            self.show -= 1
            print(f"--- p{case['id']} {case['apiVersion']} {case['kind']} {case['manners']}", *told[:30], sep="\n")

    def lines(self, most: int) -> Iterator[str]:
        """The figures as lines."""
        total = self.kinds.total()
        for command in COMMANDS:
            for name, times in self.classes[command].most_common(most):
                yield f"{command:14} {times:5} ({self.alone[command][name]} alone)  {name}"
                for example in sorted(self.examples[command, name], key=len)[:EXAMPLES]:
                    yield f"{'':22}{example[:300]}"
        yield from self._by_kind()
        rejected = f"{self.refused} rejected by the API server"
        yield f"{total} pairs of {len(self.kinds)} kinds, {rejected}, {self.changed} changed"
        yield from (f"{times} not compared: {why}" for why, times in self.listed.items())
        for command in COMMANDS:
            wrong = self.different[command].total()
            share = 100 * (total - wrong) / total if total else 0
            yield f"{command:14} {wrong:5} differ, {share:.2f} % are the same"
        stored, wrong = self.stored.total(), self.different["merge"].total()
        if stored:
            share = 100 * (stored - wrong) / stored
            yield f"merge prints what an apply stores: {stored - wrong} of {stored}, {share:.2f} %"
        if self.texts:
            yield f"texts of equal differences: {self.texts[True]} the same, {self.texts[False]} not"

    def _by_kind(self) -> Iterator[str]:
        """The kinds for which something differs: the pairs, and how many differ by command."""
        yield f"{'kind':34} pairs " + " ".join(f"{command:>13}" for command in COMMANDS)
        for kind, total in sorted(self.kinds.items()):
            wrong = [self.different[command][kind] for command in COMMANDS]
            if any(wrong):
                yield f"{kind:34} {total:5} " + " ".join(f"{number:13}" for number in wrong)
