"""Errors before the first response. No message contains a token, a key, or the output of a plugin."""

from __future__ import annotations

from ...apiserver.errors import ConnectError


class BadKubeconfig(ConnectError):
    """An invalid kubeconfig. `place` is the file, and the position in it."""

    def __init__(self, place: str, problem: str) -> None:
        self.place = place
        super().__init__(f"{place}: {problem}")


class NoContext(ConnectError):
    """A missing context. `known` lists the existing ones."""

    def __init__(self, problem: str, known: tuple[str, ...]) -> None:
        self.known = known
        there = (
            f"Contexts: {', '.join(known)}" if len(known) > 1 else f"The only context is {known[0]}" if known else ""
        )
        super().__init__(f"{problem}. {there or 'There are no contexts'}")
