"""The command `kubemerge`: what it answers to, and how it ends.

Exit codes: 0 done; 1 there is a difference (where a command looks for one); 2 an error, said in one line;
130 interrupted. Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import sys

import click

from engine import MergeError

from .commands import explain, generate, kinds, merge, releases, spec


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="kubemerge", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a trace when something fails.")
def cli(debug: bool) -> None:
    """Merge Kubernetes objects as kubectl apply does, with the rules of any release, without a cluster."""


for command in (
    explain.explain,
    generate.generate,
    kinds.kinds,
    merge.merge,
    merge.why,
    releases.releases,
    spec.spec,
):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = cli.main(words, prog_name="kubemerge", standalone_mode=False) or 0
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = 2
    except MergeError as error:
        code = _failed(str(error), error, words)
    except BrokenPipeError:
        # Whoever read our output has seen enough. What is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        note = f"this is a bug in kubemerge: {type(error).__name__}: {error} (run it with --debug for the trace)"
        code = _failed(note, error, words)
    sys.exit(code)


def _failed(sentence: str, error: Exception, words: list[str]) -> int:
    if "--debug" in words:
        raise error
    click.echo(f"kubemerge: {sentence}", err=True)
    return 2
