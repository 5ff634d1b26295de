"""What goes wrong before a server has answered. No message holds a token, a key, or what a plugin printed."""

from __future__ import annotations

from ...apiserver.errors import ConnectError


class BadKubeconfig(ConnectError):
    """A kubeconfig that cannot be used. `place` is the file, and the place in it."""

    def __init__(self, place: str, problem: str) -> None:
        self.place = place
        super().__init__(f"{place}: {problem}")


class NoContext(ConnectError):
    """A context that no kubeconfig has. `known` lists those that there are."""

    def __init__(self, problem: str, known: tuple[str, ...]) -> None:
        self.known = known
        there = f"there are {', '.join(known)}" if len(known) > 1 else f"there is {known[0]}" if known else ""
        super().__init__(f"{problem}; {there or 'there are none'}")
