"""`kubemerge completion`: the script with which a shell completes this command."""

from __future__ import annotations

import click

from ..terminal.console import console_options


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@console_options
def completion(shell: str) -> None:
    """Print the script with which a shell completes this command.

    \b
    bash   source <(kubemerge completion bash)      in ~/.bashrc
    zsh    source <(kubemerge completion zsh)       in ~/.zshrc, after compinit
    fish   kubemerge completion fish | source       in ~/.config/fish/config.fish
    """
    from ..shells import script

    click.echo(script(shell, click.get_current_context().find_root().command, "kubemerge"), nl=False)
