"""The command `kubemerge`: what it answers to, and how it ends.

Exit codes: 0 done; 1 there is a difference or a finding (where a command looks for one); 2 an error, said in one
line; 130 interrupted; 141 nobody read the output to its end. Data goes to standard output, everything else to
standard error. The commands that kubectl has too and that look for no difference end with 1 on any error, as there.
"""

from __future__ import annotations

import io
import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ..output.text import shown
from .argv import refuse_meaningless, spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "annotate": "Change the annotations of live objects.",
    "apply": "Make the objects of a cluster, which is a file, what a config says.",
    "cluster": "Take in, print, empty or tell about a whole cluster, which is a file.",
    "compare": "Tell what merges differently between releases, API versions or specifications.",
    "completion": "Print what makes a shell complete this command.",
    "create": "Create the objects in files in the cluster.",
    "delete": "Delete live objects.",
    "diff": "Show what `kubectl apply` would change.",
    "edit": "Change live objects in an editor.",
    "explain": "Tell how a kind merges, or one field: `deployment.spec.template.spec.containers`.",
    "generate": "Print merge tables as Python modules.",
    "get": "Print live objects.",
    "kinds": "List the kinds of a release, with those of --schema laid over them.",
    "label": "Change the labels of live objects.",
    "last-applied": "View, set or check the annotation that apply keeps its last config in.",
    "lint": "Find what an apply would lose, get wrong or never finish.",
    "merge": "Print what `kubectl apply` makes of the objects in the config.",
    "overlay": "Change objects by sparse configs, as kustomize's patches do.",
    "patch": "Patch live objects, or print what a patch makes of those in files.",
    "releases": "List the Kubernetes releases that there are merge tables for, oldest first.",
    "replace": "Put objects in place of live ones.",
    "scale": "Set how many replicas there are to be.",
    "spec": "Manage the snapshots that the tables are printed from.",
    "why": "Tell why every field has its value after an apply, or only those at PATH.",
}
"""The commands, each in the module of its name, with the line that the help shows; imported when one is called."""


class _Commands(click.Group):
    """The commands of the table above; the help is printed without importing any of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        from .options.ignored import with_accepted

        name = cmd_name.replace("-", "_")
        return with_accepted(getattr(import_module(f"{__package__}.commands.{name}"), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Names that are near, where there is no such command."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=3)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{meant}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, command, rest
        refuse_meaningless(command, rest)
        return name, command, spelled(command, rest)


_ENDS = (
    "Exit codes: 0 done, 1 a difference or a finding, 2 an error (1 of the commands that change or show a cluster, as "
    "of kubectl), 130 interrupted, 141 a closed pipe."
)


@click.group(
    cls=_Commands,
    epilog=_ENDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="kubemerge", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a trace when something fails; may stand anywhere.")
def cli(debug: bool) -> None:
    """Merge Kubernetes objects as kubectl apply does, with the rules of any release, without a cluster."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    told = _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8")  # as kubectl prints, whatever the machine is set to
    words = [word for word in words if word != "--debug"]
    code = _written(_run(words, debug), debug)
    if code == 2 and as_kubectl(words):
        code = 1
    sys.exit(code if told else _failed("standard output is closed, so nothing could be told", OSError(), debug))


def _open_what_is_closed() -> bool:
    """Give a process that was started without standard streams some that hold nothing; whether output is open."""
    told = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for the whole run
    return told


AS_KUBECTL = frozenset({"annotate", "apply", "create", "delete", "edit", "get", "label", "replace", "scale"})
"""The commands that kubectl has too and that look for no difference: any error of theirs is 1, as it is there."""


def as_kubectl(words: Sequence[object]) -> bool:
    """Whether any error of this command line is 1: so it is of `patch` too, unless it is about the objects in files."""
    name = words[0] if words else ""
    of_files = any(re.match(r"-[A-Za-z]*f|--filename", str(word)) for word in words)
    return name in AS_KUBECTL or (name == "patch" and not of_files)


CLOSED_PIPE = 141
"""How a shell sees a program end that a closed pipe has ended: 128 and the number of the signal."""


def _run(words: list[str], debug: bool) -> int:
    """The exit code of a command; what went wrong is said in one line."""
    if "_KUBEMERGE_COMPLETE" in os.environ:  # a shell asks what may come next
        from .shells import answer_shells

        answer_shells()
    try:
        return cli.main(words or ["--help"], prog_name="kubemerge", standalone_mode=False) or 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except SystemExit as end:
        return CLOSED_PIPE if end.code else 0  # click ends with 1 where whoever read our output has seen enough
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        see = f" (see `{context.command_path} --help`)" if context else ""
        said = error.format_message().rstrip(".").replace("\n\t", " ")  # click lists choices on lines of their own
        return _failed(f"{said}{see}", error, debug)
    except MergeError as error:
        return _failed(str(error), error, debug)
    except BrokenPipeError:
        return CLOSED_PIPE
    except OSError as error:
        return _failed(_about(error), error, debug)
    except Exception as error:
        note = f"this is a bug in kubemerge: {type(error).__name__}: {error} (run it with --debug for the trace)"
        return _failed(note, error, debug)


def _written(code: int, debug: bool) -> int:
    """The exit code once all output has left; what cannot leave is dropped, or the end of Python would fail on it."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            return code or CLOSED_PIPE
        if code != 2:
            return _failed(_about(error), error, debug)
    return code


def _about(error: OSError) -> str:
    return f"{error.filename or 'the output cannot be written'}: {error.strerror or error}"


def _failed(sentence: str, error: Exception, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    click.echo(f"kubemerge: {shown(sentence)}", err=True)
    return 2
