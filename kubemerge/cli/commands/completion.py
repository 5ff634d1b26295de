"""`kubemerge completion`: shell completion scripts."""

from __future__ import annotations

import click

from ..terminal.console import console_options, echo_text


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@console_options
def completion(shell: str) -> None:
    """Print a shell completion script.

    Add one line to the startup file of your shell:

    \b
    ~/.bashrc
        source <(kubemerge completion bash)
    ~/.zshrc, after compinit
        source <(kubemerge completion zsh)
    ~/.config/fish/config.fish
        kubemerge completion fish | source
    """
    from ..shells import script

    echo_text(script(shell, click.get_current_context().find_root().command, "kubemerge"), nl=False)
