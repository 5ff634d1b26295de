"""Classes of differences between two responses, and the shares of equal responses by kind."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from .judge import Agreement, degree, differences, in_parts, is_compared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .ask import Case

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_READ_AS = re.compile(r'^\w+ in version "\w+" cannot be handled as a \w+: ')
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def general(text: str) -> str:
    """A message without values, so that the same message about two objects is equal."""
    shorter = _READ_AS.sub("", text)
    return _NUMBER.sub("N", _QUOTED.sub('""', shorter))[:160]


def class_of(case: Case, answer: dict[str, Any]) -> str:
    """The class of the difference between two responses that differ."""
    if answer["code"] != case["code"]:
        given = case if "said" in case else answer
        return f"code {answer['code']}, real {case['code']}: {general(in_parts(str(given.get('said', '')))[0])}"
    if "after" in case:
        place = next(iter(differences(case, answer, strict=True)), "order").partition(":")[0]
        return f"object {_NUMBER.sub('N', place)}"
    ours, theirs = (Counter(in_parts(str(one["said"]))) for one in (answer, case))
    missing, more = [*(theirs - ours)], [*(ours - theirs)]
    if missing:
        return f"words, missing: {general(missing[0])}" + (f" (ours: {general(more[0])})" if more else "")
    return f"words, too many: {general(more[0])}" if more else "order of the problems"


class Tally:
    """Counts of questions, equal verdicts and identical responses, by kind and by verb."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.identical: Counter[str] = Counter()
        self.ordered: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()
        self.kinds_of: dict[str, set[str]] = {}

    def add(self, case: Case, answer: dict[str, Any]) -> str:
        """Count one question; the class of its difference, or an empty text."""
        found = degree(case, answer)
        do = "creates" if case["do"] == "create" else "updates"
        for name in (case["kind"], do, "all"):
            self.asked[name] += 1
            self.verdicts[name] += answer["code"] == case["code"]
            self.identical[name] += found >= Agreement.IDENTICAL
            self.ordered[name] += found == Agreement.ORDERED
            self.listed[name] += found < Agreement.IDENTICAL and not (is_compared(case) and differences(case, answer))
        if found >= Agreement.IDENTICAL:
            return ""
        name = class_of(case, answer)
        self.classes[name] += 1
        self.kinds_of.setdefault(name, set()).add(case["kind"])
        return name

    def lines(self, most: int) -> Iterator[str]:
        """A table by kind, then the commonest classes."""
        width = max(map(len, self.asked), default=4)
        yield f"{'kind':{width}}  asked  verdict  identical  (in order)  listed"
        for name in [*sorted(self.asked.keys() - {"creates", "updates", "all"}), "creates", "updates", "all"]:
            times = self.asked[name] or 1
            shares = [100 * one[name] / times for one in (self.verdicts, self.identical, self.ordered)]
            yield "{:{}}  {:5}  {:6.1f}%  {:8.1f}%  {:8.1f}%  {:6}".format(
                name, width, self.asked[name], *shares, self.listed[name]
            )
        for name, times in self.classes.most_common(most):
            yield f"{times:4}  {name}  [{', '.join(sorted(self.kinds_of[name])[:4])}]"
