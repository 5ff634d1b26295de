"""Strategies for single values: names, labels, texts and quantities in several spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


class MissingHypothesis(MergeError):
    """Hypothesis is not installed."""


def hypothesis_strategies() -> ModuleType:
    """Import `hypothesis.strategies`, which only these strategies need."""
    try:
        from hypothesis import strategies
    except ImportError:
        raise MissingHypothesis(
            "hypothesis is required for strategies. Run `pip install 'kubemerge[testing]'`"
        ) from None
    return strategies


WORDS = ("a", "b", "a-b", "x.example.com", "0", "9-a", "web")
LABEL_VALUES = ("", "b", "A_b-c.9", "0", "true", "z" * 63, "1.0")
LABEL_KEYS = ("app", "a", "example.com/A_b.c", "0", "a" * 63, "x/y", "app.kubernetes.io/name")
TEXTS = (
    "",
    "a",
    "x y",
    "é",
    "\u00fc\u4e16\U0001f600",
    "<&>",
    "'\"\\",
    "a: b\n- c\n",
    "\u202e",
    "null",
    "#",
    "yes",
    "1e3",
)
QUANTITIES = ("1", "1000m", "0.5", "500m", "2Gi", "2048Mi", "1e3", "1k", "0", "1.5", "3E2")
DURATIONS = ("60s", "1m0s", "1m", "1h30m", "90m", "0s", "1.5h")
PORTS = (80, 8080, 443, 1, 65535, "http")
FREE_TEXT = {
    "args",
    "command",
    "data",
    "description",
    "displayName",
    "globalDefault",
    "message",
    "note",
    "reason",
    "stringData",
    "annotations",
}
"""Fields that take any text."""


class Values:
    """The strategies of one test. They are made once, because making one takes longer than drawing from it."""

    def __init__(self) -> None:
        st = hypothesis_strategies()
        self.chance = st.integers(0, 3)
        self.count = st.integers(1, 3)
        self.name = st.from_regex(r"[a-z]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
        self.text = st.sampled_from(TEXTS) | st.text(max_size=8).filter(_has_no_surrogate)
        self.quantity = st.sampled_from(QUANTITIES)
        self.duration = st.sampled_from(DURATIONS)
        self.word = st.sampled_from(WORDS)
        self.boolean = st.booleans()
        self.integer = st.sampled_from((1, 0, 2, 3, 10, 80, 600, 2**31 - 1))
        self.number = self.integer | st.sampled_from((0.5, 1.5))
        self.int_or_string = st.sampled_from((1, "25%", "100%", 80, "http"))
        self.labels = st.dictionaries(st.sampled_from(LABEL_KEYS), st.sampled_from(LABEL_VALUES), max_size=3)
        self.annotations = st.dictionaries(st.sampled_from(LABEL_KEYS), self.text, max_size=2)
        self.data_keys = st.lists(st.sampled_from(("k", "a.b", "A_1", ".x", "0")), max_size=3, unique=True)
        self.by_type: dict[str | None, Any] = {
            "boolean": self.boolean,
            "integer": self.integer,
            "number": self.number,
            "quantity": self.quantity,
            "int-or-string": self.int_or_string,
            "string": self.word,
        }
        self._choices: dict[tuple[Any, ...], Any] = {}
        self._subsets: dict[tuple[tuple[str, ...], int], Any] = {}
        self._cached: dict[str, Any] = {}
        self._st = st

    def cached(self, key: str, make: Callable[[], Any]) -> Any:
        """A strategy by its key."""
        if key not in self._cached:
            self._cached[key] = make()
        return self._cached[key]

    def one_of(self, values: Any) -> Any:
        """One of the values, which may be lists and maps."""
        key = tuple(map(repr, values))
        if key not in self._choices:
            self._choices[key] = self._st.sampled_from(list(values))
        return self._choices[key]

    def some_of(self, names: tuple[str, ...], most: int) -> Any:
        """A few of the names."""
        key = names, most
        if key not in self._subsets:
            self._subsets[key] = self._st.lists(self._st.sampled_from(names), max_size=most, unique=True)
        return self._subsets[key]


def _has_no_surrogate(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
