"""What goes wrong before a server has answered. No message holds a token, a key, or what a plugin printed."""

from __future__ import annotations

from ...apiserver.errors import ConnectError


class BadKubeconfig(ConnectError):
    """An invalid kubeconfig. `place` is the file, and the place in it."""

    def __init__(self, place: str, problem: str) -> None:
        self.place = place
        super().__init__(f"{place}: {problem}")


class NoContext(ConnectError):
    """A context that no kubeconfig has. `known` lists the existing ones."""

    def __init__(self, problem: str, known: tuple[str, ...]) -> None:
        self.known = known
        there = (
            f"Contexts: {', '.join(known)}" if len(known) > 1 else f"The only context is {known[0]}" if known else ""
        )
        super().__init__(f"{problem}. {there or 'There are no contexts'}")
