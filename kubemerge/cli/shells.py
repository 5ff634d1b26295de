"""The shells that can complete this command: the script that each reads, and the answers that it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import click

VARIABLE = "_KUBEMERGE_COMPLETE"
"""The variable in which the shell says that it wants completions; click derives its name from the command's."""


def _or_files(shell: type[ShellComplete]) -> type[ShellComplete]:
    """A shell's completion that never fails, and leaves to the shell what nobody here knows: files."""

    class Completion(shell):  # type: ignore[misc, valid-type]
        name = shell.name
        source_template = shell.source_template

        def get_completions(self, args: list[str], incomplete: str) -> Sequence[CompletionItem[str]]:
            words = args[:-1] if args[-1:] == ["="] else args  # bash makes three words of `--release=1.3`
            try:
                found: Iterable[CompletionItem[str]] = super().get_completions(words, incomplete)
                return [_whole(item, incomplete, shell) for item in found] or [CompletionItem(incomplete, type="file")]
            except Exception:  # a word that is wrong so far must not write into the prompt
                return []

    return Completion


def _whole(item: CompletionItem[str], incomplete: str, shell: type[ShellComplete]) -> CompletionItem[str]:
    """A value with the option before it, where the shell puts it in the place of `--release=1.3`."""
    option, equals, _ = incomplete.partition("=")
    if shell is BashComplete or not (equals and option.startswith("--")) or item.type != "plain":
        return item
    return CompletionItem(f"{option}={item.value}", help=item.help)


SHELLS = {shell.name: _or_files(shell) for shell in (BashComplete, ZshComplete, FishComplete)}
"""The shells by name, each with the class that answers it."""


def answer_shells() -> None:
    """Have click answer the shells by the classes above."""
    for shell in SHELLS.values():
        add_completion_class(shell)


def script(shell: str, command: click.Command, program: str) -> str:
    """What a shell has to read to complete a program. It is only printed: no shell needs to be there."""
    return ShellComplete.source(SHELLS[shell](command, {}, program, VARIABLE))
