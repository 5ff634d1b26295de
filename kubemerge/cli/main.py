"""The command `kubemerge`: what it answers to, and how it ends.

Exit codes: 0 done; 1 there is a difference or a finding (where a command looks for one); 2 an error, said in one
line; 130 interrupted; 141 nobody read the output to its end. Data goes to standard output, everything else to
standard error. The commands that kubectl has too and that look for no difference end with 1 on any error, as there, and
word it as kubectl does.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from contextlib import contextmanager

from codegen import SpecWarning
from engine import MergeError

from .plain_lines import read_plain
from .running import begun
from .terminal.console import Console, console, echo, echo_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TextIO

    import click


def main(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    told = _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and (stream.encoding.lower(), stream.errors) != _ENCODED:
            errors = "strict" if stream is sys.stdout else "backslashreplace"
            stream.reconfigure(encoding="utf-8", errors=errors)  # as kubectl prints, whatever the machine is set to
    words = [word for word in words if word != "--debug"]
    code = _written(run_words(words, debug=debug), debug)
    if code == 2 and as_kubectl(words):
        code = 1
    sys.exit(code if told else _failed("kubemerge: standard output is closed", OSError(), debug))


_ENCODED = ("utf-8", "strict")
"""How output is encoded: a word that is not UTF-8 does not leave, whatever the machine is set to."""


def _open_what_is_closed() -> bool:
    """Give a process that was started without standard streams some that hold nothing; whether output is open."""
    told = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for the whole run
    return told


AS_KUBECTL = frozenset(
    {
        *("annotate", "api-resources", "api-versions", "apply", "auth", "autoscale", "certificate", "cluster-info"),
        *("cordon", "create", "delete", "describe", "edit", "events", "expose", "get", "label", "patch", "replace"),
        *("rollout", "run", "scale", "set", "taint", "uncordon", "version", "wait"),
    }
)
"""The commands that kubectl has too and that look for no difference: any error of theirs is 1, as it is there."""


def as_kubectl(words: Sequence[object]) -> bool:
    """Whether the command line is of one of these commands."""
    return bool(words) and words[0] in AS_KUBECTL


INTERRUPTED, CLOSED_PIPE = 130, 141
"""How a shell sees a program end that a signal has ended, as a closed pipe does: 128 and the number of the signal."""
ENDED_FROM_OUTSIDE: dict[int, type[BaseException]] = {INTERRUPTED: KeyboardInterrupt, CLOSED_PIPE: BrokenPipeError}
"""The exit codes of a command that did not end by itself, each with what it raises in a command that runs it."""


def run_words(words: list[str], *, debug: bool = False) -> int:
    """The exit code of a command; what went wrong is said in one line."""
    if "_KUBEMERGE_COMPLETE" in os.environ:  # a shell asks what may come next
        from .shells import answer_shells

        answer_shells()
    try:
        with begun(as_kubectl=as_kubectl(words)), _warnings_as_lines():
            run = read_plain(words)
            if run:
                return _uninterrupted(run)
            from .group import cli

            return cli.main(words or ["--help"], prog_name="kubemerge", standalone_mode=False) or 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:
        return CLOSED_PIPE if end.code else 0  # click ends with 1 where whoever read our output has seen enough
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception as error:
        return _ended(error, words, debug)


def _ended(error: Exception, words: Sequence[str], debug: bool) -> int:
    """The exit code of a command that an error has ended, which is told."""
    if isinstance(error, MergeError):
        from .wording import Failure, ours  # only errors need it

        if as_kubectl(words):
            failure = Failure(error)
            return _failed(failure.alone, error, debug, failure.hint)
        return _failed(f"kubemerge: {ours(error)}", error, debug)
    if isinstance(error, OSError):
        return _failed(f"{_begin(words)}{_about(error)}", error, debug)
    if isinstance(error, UnicodeEncodeError):  # what files hold is text, so it stands on the command line or around it
        wrong = error.object[error.start : error.end]
        why = f"{wrong!a} is not text. Encode the command line as UTF-8"
        return _failed(f"{_begin(words)}{why}", error, debug)
    return _of_click(error, words, debug)


def _begin(words: Sequence[str]) -> str:
    return "error: " if as_kubectl(words) else "kubemerge: "


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Say in a line what is ignored of a specification."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", SpecWarning)
        otherwise = warnings.showwarning

        def told(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, SpecWarning):
                console().say(f"warning: {message}")
            else:
                otherwise(message, category, filename, lineno, file, line)

        warnings.showwarning = told
        yield


def _uninterrupted(run: Callable[[], int]) -> int:
    """The exit code of a command that click does not run; an interrupt ends the line that it is seen in, as there."""
    try:
        return run()
    except KeyboardInterrupt:
        echo("", err=True)
        return INTERRUPTED


def _of_click(error: Exception, words: Sequence[str], debug: bool) -> int:
    """The exit code of what click complains about; anything else is a bug."""
    import click

    if isinstance(error, click.exceptions.Abort):
        return INTERRUPTED
    if not isinstance(error, click.ClickException):
        note = f"this is a bug in kubemerge: {type(error).__name__}: {error} (run with --debug for a traceback)"
        return _failed(f"kubemerge: {note}", error, debug)
    context = getattr(error, "ctx", None)
    said = error.format_message()
    if as_kubectl(words):
        from .flags import in_words_of_kubectl

        return _failed(
            in_words_of_kubectl(error, said, context.command_path if context else f"kubemerge {words[0]}"), error, debug
        )
    see = f" (see `{context.command_path} --help`)" if context else ""
    if isinstance(error, click.NoSuchOption):
        said = _no_such_option(error, context)
    said = said.rstrip(".").replace("\n\t", " ")  # click lists choices on lines of their own
    said = said.replace("is not a valid integer range", "is not an integer")
    return _failed(f"kubemerge: {said}{see}", error, debug)


def _no_such_option(error: click.NoSuchOption, context: click.Context | None) -> str:
    """That there is no such option, and the one that was meant, if any is near."""
    if context is not None and context.command.name == "owners" and error.option_name in ("--live", "--config"):
        near = ["-f"]
    else:
        from difflib import get_close_matches

        near = get_close_matches(error.option_name, error.possibilities or (), n=1, cutoff=0.75)
    return f"No such option '{error.option_name}'{f'. Did you mean {near[0]!r}?' if near else ''}"


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
            return _failed(f"kubemerge: {_about(error)}", error, debug)
    return code


def _about(error: OSError) -> str:
    return f"{error.filename or 'the output cannot be written'}: {error.strerror or error}"


OURS = "kubemerge: "
"""How a failure begins that is told in one line, whatever is in it."""


def _failed(text: str, error: Exception, debug: bool, hint: str = "") -> int:
    if debug:
        import traceback

        echo_text("".join(traceback.format_exception(error)), nl=False, err=True)
    if text.startswith(OURS):
        Console().complain(text.removeprefix(OURS))
    else:
        Console().failed(text, hint)
    return 2
