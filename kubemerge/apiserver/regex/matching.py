"""Matching: a program of instructions, executed for all alternatives at once, in time linear in the text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..cel.meter import check_deadline
from .large_stack import with_large_stack
from .syntax import UnknownPattern, parse
from .tree import Assertion, Chars, Choice, Repeat, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .classes import Class
    from .tree import Node

LARGEST = 20_000
"""The maximum number of instructions. Go allows more, but a schema that needs them is not evaluated here."""
MOST_WORK = 500_000
"""The maximum number of steps for one text."""
STEP = 10_000
"""Steps between two checks of a request's deadline."""
KEPT = 5_000
"""The maximum number of cached transitions."""

MATCH, CHAR, SPLIT, CHECK = "match", "char", "split", "check"
Instruction = tuple[str, "Class | str | None", tuple[int, ...]]


class Pattern:
    """A compiled pattern."""

    def __init__(self, pattern: str) -> None:
        self._code: list[Instruction] = []
        self._start = self._emit(parse(pattern), self._add(MATCH, None, ()))
        kinds = {extra for kind, extra, _ in self._code if kind == CHECK}
        self._looks_around = bool(kinds - {"start", "end"})
        self._known: dict[tuple[frozenset[int], int, str], frozenset[int] | None] = {}
        self._work = 0

    # ---- compilation ---------------------------------------------------------------------------------------------

    def _add(self, kind: str, extra: Class | str | None, following: tuple[int, ...]) -> int:
        if len(self._code) >= LARGEST:
            raise UnknownPattern("the pattern is too large")
        self._code.append((kind, extra, following))
        return len(self._code) - 1

    def _emit(self, node: Node, following: int) -> int:
        """Emit the instructions of a node, followed by others. Return their start."""
        if isinstance(node, Chars):
            return self._add(CHAR, node.chars, (following,))
        if isinstance(node, Assertion):
            return self._add(CHECK, node.kind, (following,))
        if isinstance(node, Sequence):
            for part in reversed(node.parts):
                following = self._emit(part, following)
            return following
        if isinstance(node, Choice):
            return self._add(SPLIT, None, tuple(self._emit(part, following) for part in node.parts))
        return self._emit_repeat(node, following)

    def _emit_repeat(self, node: Repeat, following: int) -> int:
        def either(inner: int, out: int) -> tuple[int, int]:
            return (inner, out) if node.greedy else (out, inner)

        if node.most is None:
            loop = self._add(SPLIT, None, ())
            self._code[loop] = (SPLIT, None, either(self._emit(node.inner, loop), following))
            following = loop
        else:
            out = following
            for _ in range(node.most - node.least):
                following = self._add(SPLIT, None, either(self._emit(node.inner, following), out))
        for _ in range(node.least):
            following = self._emit(node.inner, following)
        return following

    # ---- matching --------------------------------------------------------------------------------------------------

    def matches(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text."""
        self._work = 0
        states: frozenset[int] = frozenset()
        for at, char in enumerate((*text, "")):
            before = self._side(text[at - 1]) if at and self._looks_around else int(at > 0)
            key = (states, before, char)
            if key not in self._known:
                if len(self._known) >= KEPT:
                    self._known.clear()
                self._known[key] = self._step(states, text, at)
            found = self._known[key]
            if found is None:
                return True
            states = found
        return False

    @staticmethod
    def _side(char: str) -> int:
        """The type of the previous character, for assertions."""
        return 2 if char == "\n" else 3 if _is_word(char) else 1

    def _step(self, states: frozenset[int], text: str, at: int) -> frozenset[int] | None:
        """The states after the next character. None if the pattern has matched."""
        char = text[at] if at < len(text) else ""
        found: set[int] = set()
        for state in self._reached((*sorted(states), self._start), text, at):
            kind, extra, following = self._code[state]
            if kind == MATCH:
                return None
            if char and extra.holds(char):  # type: ignore[union-attr]
                found.add(following[0])
        return frozenset(found)

    def _reached(self, states: tuple[int, ...], text: str, at: int) -> Iterator[int]:
        """The states that read a character, or end, in the order of preference."""
        seen: set[int] = set()
        stack = [*reversed(states)]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            self._work += 1
            if self._work > MOST_WORK:
                raise UnknownPattern("the text takes too long")
            if not self._work % STEP:
                check_deadline()
            kind, extra, following = self._code[state]
            if kind == SPLIT:
                stack.extend(reversed(following))
            elif kind != CHECK:
                yield state
            elif _holds(str(extra), text, at):
                stack.extend(following)

    # ---- searching -------------------------------------------------------------------------------------------------

    def find(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Return the first match from a position, as Go prefers it, or None."""
        self._work = 0
        best: tuple[int, int] | None = None
        threads: dict[int, int] = {}
        for at in range(start, len(text) + 1):
            if best is None:
                threads.setdefault(self._start, at)
            following: dict[int, int] = {}
            char = text[at] if at < len(text) else ""
            for state, begun in self._ordered(threads, text, at):
                kind, extra, after = self._code[state]
                if kind == MATCH:
                    best = (begun, at)
                    break
                if char and extra.holds(char):  # type: ignore[union-attr]
                    following.setdefault(after[0], begun)
            threads = following
            if best is not None and not threads:
                break
        return best

    def _ordered(self, threads: dict[int, int], text: str, at: int) -> Iterator[tuple[int, int]]:
        seen: set[int] = set()
        for first, begun in threads.items():
            for state in self._reached((first,), text, at):
                if state not in seen:
                    seen.add(state)
                    yield state, begun

    def find_all(self, text: str, most: int = -1) -> list[str]:
        """Return all non-overlapping matches, as Go finds them."""
        found: list[str] = []
        at, last = 0, -1
        while at <= len(text) and len(found) != most:
            place = self.find(text, at)
            if place is None:
                break
            begin, end = place
            if end > begin or begin != last:
                found.append(text[begin:end])
            last = end
            at = end if end > begin else end + 1
        return found


def _is_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _holds(kind: str, text: str, at: int) -> bool:
    if kind == "start":
        return at == 0
    if kind == "end":
        return at == len(text)
    if kind == "line start":
        return at == 0 or text[at - 1] == "\n"
    if kind == "line end":
        return at == len(text) or text[at] == "\n"
    edge = (at > 0 and _is_word(text[at - 1])) != (at < len(text) and _is_word(text[at]))
    return edge == (kind == "word edge")


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Compile a pattern. Raise BadPattern with Go's error, or UnknownPattern."""
    return with_large_stack(lambda: Pattern(text))
