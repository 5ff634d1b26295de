"""Shell completion: the script of each shell, and the completions it receives."""

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
"""The variable that a shell sets to request completions. Click derives its name from the command."""


def _or_files(shell: type[ShellComplete]) -> type[ShellComplete]:
    """A shell's completion class that never fails, and leaves file completion to the shell."""

    class Completion(shell):  # type: ignore[misc, valid-type]
        name = shell.name
        source_template = shell.source_template

        def get_completions(self, args: list[str], incomplete: str) -> Sequence[CompletionItem[str]]:
            words = args[:-1] if args[-1:] == ["="] else args  # bash splits `--release=1.3` into three words
            try:
                found: Iterable[CompletionItem[str]] = super().get_completions(words, incomplete)
                return [_whole(item, incomplete, shell) for item in found] or [CompletionItem(incomplete, type="file")]
            except Exception:  # an error in an unfinished word must not be printed into the prompt
                return []

    return Completion


def _whole(item: CompletionItem[str], incomplete: str, shell: type[ShellComplete]) -> CompletionItem[str]:
    """A value with its option, for shells that replace all of `--release=1.3`."""
    option, equals, _ = incomplete.partition("=")
    if shell is BashComplete or not (equals and option.startswith("--")) or item.type != "plain":
        return item
    return CompletionItem(f"{option}={item.value}", help=item.help)


SHELLS = {shell.name: _or_files(shell) for shell in (BashComplete, ZshComplete, FishComplete)}
"""The shells by name, each with its completion class."""


def answer_shells() -> None:
    """Register the classes above with click."""
    for shell in SHELLS.values():
        add_completion_class(shell)


def script(shell: str, command: click.Command, program: str) -> str:
    """The completion script of a shell. It is only printed, so the shell need not be installed."""
    return ShellComplete.source(SHELLS[shell](command, {}, program, VARIABLE))
