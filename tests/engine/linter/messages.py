"""Every lint message for the cases: `python -m tests.engine.linter.messages` writes them to `messages.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine

from .cases import CASES, HERE, findings

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = HERE / "messages.txt"


def messages() -> set[str]:
    return {sentence for case in CASES for sentence in sentences(case)}


def sentences(case: dict[str, Any]) -> Iterator[str]:
    """The lint messages for a case, without paths; the newest release may be any."""
    newest = engine.releases()[-1] if case.get("release") is None else "-"
    for one in findings(case):
        yield f"{one.code} {one.severity}: {one.message} {one.advice}".replace(
            f"Kubernetes {newest}", "Kubernetes NEWEST"
        )


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in sorted(messages())), encoding="utf-8")
