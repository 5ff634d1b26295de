"""The input of an attack, and its report of a loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from random import Random
    from typing import TypeAlias

    Tried: TypeAlias = Iterator[tuple[str, int]]
    """The name and the number of tries."""
    Inputs: TypeAlias = Mapping[str, str | bytes]
    """The files that show a loss again."""


class Loss(Exception):
    """Something that must not happen. `inputs` are the files that show it again."""

    def __init__(self, what: str, inputs: Inputs | None = None) -> None:
        super().__init__(what)
        self.inputs = inputs or {}


class Skipped(Exception):
    """An attack that cannot be made on this machine, with the reason."""


class Trial:
    """One run of one attack: its random numbers, an empty folder, and how much of the full attack is made."""

    def __init__(self, random: Random, folder: Path, times: float = 1.0) -> None:
        self.random, self.folder, self.times = random, folder, times
        self._folders = 0

    def often(self, full: int) -> int:
        """The number of tries, from the number in a full attack; at least one."""
        return max(1, round(full * self.times))

    def new_folder(self) -> Path:
        """Another empty folder."""
        self._folders += 1
        folder = self.folder / f"{self._folders}"
        folder.mkdir()
        return folder


def insist(holds: object, what: str, inputs: Inputs | None = None) -> None:
    """Report a loss unless a condition is true."""
    if not holds:
        raise Loss(what, inputs)
