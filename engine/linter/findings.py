"""What lint finds: one hazard at one place, under a code that never changes its meaning."""

from __future__ import annotations

from ..paths import render
from ..values.immutable import Immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..paths import Steps

ERROR, WARNING, INFO = "error", "warning", "info"

CODES = {
    "KM001": ("duplicate-merge-key", ERROR, "Give each element a key of its own, or remove all but one."),
    "KM002": (
        "narrow-merge-key",
        WARNING,
        "Use server-side apply for this object, or replace it whole when one of these elements changes.",
    ),
    "KM003": (
        "removed-duplicate-takes-both",
        ERROR,
        "Apply a second time, which adds the element again, or use server-side apply.",
    ),
    "KM004": ("union-left-over", ERROR, "Keep one of them, and set the other one to null in the config."),
    "KM005": ("choice-left-over", ERROR, "Set the field of the former choice to null in the config."),
    "KM006": (
        "ghost",
        INFO,
        "Write it into the config to own it; to remove it, apply it once and then drop it, or delete it with a patch.",
    ),
    "KM007": (
        "last-applied-missing",
        WARNING,
        "Record what live was made from with `kubectl apply set-last-applied`, then apply.",
    ),
    "KM008": (
        "last-applied-stale",
        WARNING,
        "Compare live with the config before applying, and set to null what must go.",
    ),
    "KM009": (
        "last-applied-other-version",
        WARNING,
        "Apply the former config in the new apiVersion once before changing anything else.",
    ),
    "KM010": ("annotations-too-large", ERROR, "Use server-side apply, which needs no annotation, or split the object."),
    "KM011": (
        "secret-in-last-applied",
        WARNING,
        "Use server-side apply or `kubectl replace` for Secrets, and remove the annotation from live.",
    ),
    "KM012": (
        "replaced-by-client",
        WARNING,
        "Write the other elements into the config as well, or use server-side apply.",
    ),
    "KM013": (
        "merged-by-client-only",
        INFO,
        "Write the others into the config before going over to server-side apply.",
    ),
    "KM014": ("never-unchanged", INFO, "Expect `configured` on every apply, and compare the objects instead."),
    "KM015": ("unknown-field", WARNING, "Correct the name, or remove the field."),
    "KM016": ("quantity-form", INFO, "Write the quantity as live has it."),
    "KM017": ("int-or-string-form", WARNING, "Write numbers without quotes and names with them, as live has it."),
    "KM018": ("leaks-into-data", WARNING, "Remove it from the config."),
    "KM019": ("merge-key-changed", WARNING, "Delete the old element from live, for example with a patch."),
    "KM020": (
        "wiped-with-others",
        WARNING,
        "Keep the field in the config and drop only your own entries from it.",
    ),
    "KM021": ("apply-fails", ERROR, "Correct what the error names before applying."),
    "KM022": ("element-lost", ERROR, "Use server-side apply for this object, or replace it whole."),
    "KM023": (
        "taken-over-cleared",
        WARNING,
        "Drop it from last-applied too, with `kubectl apply edit-last-applied`, before dropping it from the config.",
    ),
    "KM024": ("other-object", ERROR, "Compare the config with the live object that it describes."),
    "KM025": ("server-owned-field", ERROR, "Remove it from the config; the API server sets it."),
    "KM026": ("never-taken", INFO, "Remove it from the config."),
    "KM027": ("no-such-kind", ERROR, "Write an apiVersion and a kind that the release has."),
}
"""Code -> (slug, severity, the way out), where a finding says nothing else. docs/lint.md has a section for each."""


class Finding(Immutable):
    """Something that apply would lose or do unexpectedly. Never changes.

    code      "KM001" and so on; `name` is its short slug
    severity  "error", "warning" or "info"
    path      where, as `spec.ports[port=53]`; `steps` is the same for programs
    message   what happens, in one sentence
    advice    the way out, in one sentence
    """

    __slots__ = ("code", "severity", "steps", "message", "advice")  # noqa: RUF023 - the order in which they are filled

    code: str
    severity: str
    steps: Steps
    message: str
    advice: str

    def __init__(self, code: str, steps: Steps, message: str, advice: str = "", severity: str = "") -> None:
        _, usual_severity, usual_advice = CODES[code]
        self._fill(code, severity or usual_severity, steps, message, advice or usual_advice)

    @property
    def name(self) -> str:
        """The short slug of the code, such as "duplicate-merge-key"."""
        return CODES[self.code][0]

    @property
    def path(self) -> str:
        """Where it is, as `spec.ports[port=53]`; `.` for the object itself."""
        return render(self.steps)

    def _facts(self) -> tuple[str, ...]:
        return self.code, self.path, self.message, self.advice, self.severity

    def __repr__(self) -> str:
        return f"<Finding {self.code} {self.severity} at {self.path}: {self.message}>"
