"""The wording of errors: kubectl's in the commands that it has too, and our own in all others.

If an invalid object is the only failure, kubectl lists its problems line by line. It puts `error: ` before any error
that does not come from a server. Of several failures, each is a sentence. Our additional advice is on a separate line
that starts with `hint: `.
"""

from __future__ import annotations

from engine import MergeError

from ..actions.requests import OtherNamespace
from ..apiserver.errors import ClusterError, Invalid, ServerUnreachable
from ..apiserver.text.go_text import quoted
from ..apiserver.text.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..apiserver.errors import NoMatch
    from ..manifests.objects import Manifest

HINT = "hint: "
UNKNOWN_USER = 401
NAMELESS = "The request is invalid: "
"""The start of kubectl's message if a server names no object."""


class Failure:
    """One failure and the action that failed: `creating`, with the object's file."""

    def __init__(self, error: object, *about: str, doing: str = "", source: str = "") -> None:
        self._error, self._about = error, about
        doings = (*getattr(error, "doing", ()), *([doing] if doing else ()))
        before = isinstance(error, (NoMapping, OtherNamespace))  # nothing was being done yet
        self._actions = [f'error when {one} "{source}": ' for one in doings] if source and not before else []

    @property
    def alone(self) -> str:
        """The lines for the only failure of a command."""
        error = self._error
        if isinstance(error, Invalid):
            return _invalid(error)
        text = self.among_others
        of_a_server = isinstance(error, (ClusterError, ServerUnreachable))
        return text if of_a_server or text.startswith("error: ") else f"error: {text}"

    @property
    def among_others(self) -> str:
        """The lines for one of several failures."""
        error = self._error
        text = _without_advice(error)
        for action in self._actions:
            text = f"{action}{text}"
        if isinstance(error, ClusterError) and error.code == UNKNOWN_USER:
            return f"error: You must be logged in to the server ({text})"
        return f"{_server_prefix(error)}{text}" if isinstance(error, ClusterError) else text

    @property
    def hint(self) -> str:
        """The object, its place and the fix, as far as kubectl's message lacks them. Often empty."""
        name = self._about[-1].rpartition("/")[2] if self._about else ""
        is_named = not name or f'"{name}"' in self.among_others or f"/{name}" in self.among_others
        parts = filter(None, ["" if is_named else ": ".join(self._about), getattr(self._error, "advice", "")])
        text = "; ".join(parts)
        return f"{HINT}{text}" if text else ""


def _without_advice(error: object) -> str:
    """The message of kubectl and the server, without our advice."""
    advice = getattr(error, "advice", "")
    return str(error).removesuffix(f"; {advice}") if advice else str(error)


def _server_prefix(error: ClusterError) -> str:
    """The start of kubectl's message. A server's internal failures have a reason only where the server gives one."""
    if error.code == ClusterError.code and not str(error).startswith("Internal error occurred"):
        return "Error from server: "
    return f"Error from server ({error.reason}): "


def _invalid(error: Invalid) -> str:
    text, causes = _without_advice(error), list(dict.fromkeys(map(str, error.problems)))
    if not causes:
        return f"{NAMELESS}{text}"
    kind = error.called.partition(".")[0]
    begin = f"The {kind} {quoted(error.name)} is invalid: " if kind else NAMELESS
    if len(causes) == 1:
        return f"{begin}{causes[0]}"
    return "\n".join((begin, *(f"* {cause}" for cause in causes)))


def one_line(error: object, *about: str) -> str:
    """The single line about a failure, in commands that only kubemerge has."""
    text = str(error)
    if isinstance(error, Invalid) and not error.called and len(error.problems) < 2:
        text = "; ".join(filter(None, (_invalid(error), error.advice)))
    return ": ".join((*map(shown, about), text))


def source_of(manifest: Manifest) -> str:
    """The object's file, as kubectl names it."""
    from ..manifests.files import STDIN

    return "STDIN" if manifest.source == STDIN else manifest.source


class NoMapping(MergeError):
    """An object of a kind that the cluster does not serve."""

    def __init__(self, manifest: Manifest, error: NoMatch, advice: str | None = None) -> None:
        self.advice = error.advice if advice is None else advice
        metadata = manifest.content.get("metadata") or {}
        name, namespace = (shown(str(metadata.get(key) or "")) for key in ("name", "namespace"))
        where = f'name: "{name}" namespace: "{namespace}"'
        super().__init__(
            f'resource mapping not found for {where} from "{source_of(manifest)}": {_without_advice(error)}\n'
            "ensure CRDs are installed first"
        )
