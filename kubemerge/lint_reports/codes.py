"""The codes of lint: what each means in one sentence, and which of them somebody asks for."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine import MergeError
from engine.linter.findings import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SEVERITIES = ("info", "warning", "error")
"""From the least to the worst."""

MEANINGS = {
    "KM001": "Elements of one list have the same identity, so apply mixes them up or loses one.",
    "KM002": "Elements of a list differ, but not in the field that apply tells them apart by.",
    "KM003": "Removing one of several elements with the same merge key removes those that stay as well.",
    "KM004": "Of fields of which only one may be set, two are after the apply, and the server refuses them.",
    "KM005": "Live has a field that belongs to a former choice, such as the former type, and apply may not remove it.",
    "KM006": "Only live has an element or a key, which somebody added, and apply never clears it.",
    "KM007": "Live does not say what was applied last, so nothing that the config has dropped is removed.",
    "KM008": "Live no longer has what was applied last: something else wrote there.",
    "KM009": "What was applied last has another apiVersion, whose fields may be called otherwise.",
    "KM010": "The annotations are too large for the server, or nearly so.",
    "KM011": "The data of a Secret is copied into an annotation, which more people can read.",
    "KM012": "Client-side apply replaces this list, which server-side apply merges: elements that others added go.",
    "KM013": "Only client-side apply merges here; server-side apply takes the whole from one owner.",
    "KM014": "The patch of this object is never empty, so every apply says `configured`.",
    "KM015": "The release has no such field, so the server drops it or refuses the object.",
    "KM016": "Live has the same quantity in another form, so apply sends a change that changes nothing.",
    "KM017": "A number stands where live has text, or the other way round.",
    "KM018": "A word of patches, or a null, stands in the config and ends up in the object as data.",
    "KM019": "The merge key of an element has changed, so apply adds a new element beside the old one.",
    "KM020": "The config drops a list or map as a whole, and what others have put into it goes too.",
    "KM021": "This apply ends with an error.",
    "KM022": "After the apply, an element of the config is missing, there twice, or has values of another one.",
    "KM023": "The config drops a field that something else has set since, and apply clears it.",
    "KM024": "The config and the live object are not the same object.",
    "KM025": "The config has what only the API server sets, so an apply is refused, or what others wrote is lost.",
    "KM026": "The config has what only the API server sets and never takes, so every apply says `configured`.",
    "KM027": "The release has no such kind under this apiVersion, so the API server refuses the object.",
}
"""Code -> what it means. docs/lint.md says more, with an example of each."""


class UnknownCode(MergeError):
    """A word that selects no code of lint."""

    def __init__(self, word: str) -> None:
        self.word = word
        known = {known.lower(): known for code in CODES for known in (code, CODES[code][0])}
        near = get_close_matches(word.lower(), known, n=3)
        meant = (
            f"did you mean {' or '.join(known[one] for one in near)}?" if near else "`kubemerge lint --list` has all"
        )
        super().__init__(f"there is no code {word!r}; {meant}")


def selected(select: Sequence[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes that are asked for by code, beginning of a code, or name: all by default, without those ignored."""
    wanted = [code for word in _words(select) for code in meant(word)]
    if select and not wanted:
        raise UnknownCode("")
    return frozenset(wanted or CODES).difference(*(meant(word) for word in _words(ignore)))


def meant(word: str) -> list[str]:
    """The codes that a word stands for: `KM001`, `km00`, `duplicate-merge-key`."""
    folded = word.lower()
    found = [code for code in CODES if code.lower().startswith(folded) or CODES[code][0] == folded]
    if not found:
        raise UnknownCode(word)
    return found


def _words(given: Iterable[str]) -> Iterator[str]:
    return (word.strip() for text in given for word in text.split(",") if word.strip())


def table() -> str:
    """Every code in a line."""
    return "\n".join(f"{code}  {severity:7}  {name}" for code, (name, severity, _) in CODES.items())


def explained(word: str) -> str:
    """What the codes that a word stands for mean, and the way out."""
    return "\n\n".join(
        f"{code} {CODES[code][0]} ({CODES[code][1]})\n\n  {MEANINGS[code]}\n  The way out: {CODES[code][2]}"
        for code in meant(word)
    )
