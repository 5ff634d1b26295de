"""The entry point `kubemerge`, with its exit codes.

Exit codes: 0: done. 1: a difference or a finding (where a command looks for one). 2: an error, reported on one line.
130: interrupted. 141: the reader closed the output early.

Data goes to standard output, everything else to standard error. Commands that kubectl has too, and that look for no
difference, exit 1 on any error with kubectl's wording.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from contextlib import contextmanager

from codegen import SpecWarning
from engine import MergeError

from .running import begun
from .terminal.console import Console, console, echo_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    import click


def main(arguments: list[str] | None = None) -> None:
    """Run the command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    was_open = _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if (stream.encoding.lower(), stream.errors) != _ENCODED:
            errors = "strict" if stream is sys.stdout else "backslashreplace"
            stream.reconfigure(encoding="utf-8", errors=errors)  # as kubectl prints, regardless of the locale
        if os.linesep != "\n":  # elsewhere it is no change, and fails for streams that cannot seek
            stream.reconfigure(newline="\n")
    words = [word for word in words if word != "--debug"]
    code = _written(run_words(words, debug=debug), debug)
    if code == 2 and as_kubectl(words):
        code = 1
    sys.exit(code if was_open else _failed("kubemerge: standard output is closed", OSError(), debug))


_ENCODED = ("utf-8", "strict")
"""Output encoding: anything that is not UTF-8 is an error, regardless of the locale."""


def _open_missing_streams() -> bool:
    """Replace missing standard streams with the null device. Return whether standard output was open."""
    was_open = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for the whole run
    return was_open


AS_KUBECTL = frozenset(
    {
        *("annotate", "api-resources", "api-versions", "apply", "create", "delete", "describe", "edit", "get", "label"),
        *("patch", "replace", "scale", "version", "wait"),
    }
)
"""kubectl's own commands that look for no difference. As in kubectl, any error makes them exit 1."""


def as_kubectl(words: Sequence[object]) -> bool:
    """Whether the command line runs one of these commands."""
    return bool(words) and words[0] in AS_KUBECTL


_UNREAD = 2
"""The exit code if a part of a dump could not be read."""
INTERRUPTED, CLOSED_PIPE = 130, 141
"""Exit codes after a signal or a closed pipe, as a shell reports them: 128 plus the signal number."""
ENDED_FROM_OUTSIDE: dict[int, type[BaseException]] = {INTERRUPTED: KeyboardInterrupt, CLOSED_PIPE: BrokenPipeError}
"""Exit codes of commands that were ended from outside, each with the exception that a calling command raises."""


def run_words(words: list[str], *, debug: bool = False) -> int:
    """Run a command and return its exit code. Errors are reported on one line."""
    if "_KUBEMERGE_COMPLETE" in os.environ:  # a shell requests completions
        from .shells import answer_shells

        answer_shells()
    try:
        with begun(as_kubectl=as_kubectl(words)) as command, _warnings_as_lines():
            from .group import cli

            code = cli.main(words or ["--help"], prog_name="kubemerge", standalone_mode=False) or 0
            return max(code, _UNREAD) if command.unread else code
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:
        return CLOSED_PIPE if end.code else 0  # click exits 1 when the reader has closed the pipe
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # until Python 3.11, one inside a class body is wrapped
            return INTERRUPTED
        return _ended(error, words, debug)


def _ended(error: Exception, words: Sequence[str], debug: bool) -> int:
    """Report the error that ended a command. Return the exit code."""
    if isinstance(error, MergeError):
        from .wording import Failure, one_line  # only errors need it

        if as_kubectl(words):
            failure = Failure(error)
            return _failed(failure.alone, error, debug, failure.hint)
        return _failed(f"kubemerge: {one_line(error)}", error, debug)
    if isinstance(error, OSError):
        return _failed(f"{_begin(words)}{_about(error)}", error, debug)
    if isinstance(error, UnicodeEncodeError):  # file content is text, so the command line is wrong
        wrong = error.object[error.start : error.end]
        why = f"{wrong!a} is not text. Encode the command line as UTF-8"
        return _failed(f"{_begin(words)}{why}", error, debug)
    return _of_click(error, words, debug)


def _begin(words: Sequence[str]) -> str:
    return "error: " if as_kubectl(words) else "kubemerge: "


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """A context that reports each warning about a specification on one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", SpecWarning)
        otherwise = warnings.showwarning

        def show(
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

        warnings.showwarning = show
        yield


def _of_click(error: Exception, words: Sequence[str], debug: bool) -> int:
    """Report a click error and return its exit code. Any other exception is a bug."""
    import click

    if isinstance(error, click.exceptions.Abort):
        return INTERRUPTED
    if not isinstance(error, click.ClickException):
        note = f"this is a bug in kubemerge: {type(error).__name__}: {error} (run with --debug for a traceback)"
        return _failed(f"kubemerge: {note}", error, debug)
    from .group import KubectlOnly

    context = getattr(error, "ctx", None)
    said = error.format_message()
    if isinstance(error, KubectlOnly):
        return _failed(said, error, debug)
    if as_kubectl(words):
        from .flags import in_words_of_kubectl

        return _failed(
            in_words_of_kubectl(error, said, context.command_path if context else f"kubemerge {words[0]}"), error, debug
        )
    see = f" (see `{context.command_path} --help`)" if context else ""
    if isinstance(error, click.NoSuchOption):
        said = _no_such_option(error, context)
    said = said.rstrip(".").replace("\n\t", " ")  # click lists each choice on a separate line
    said = said.replace("is not a valid integer range", "is not an integer")
    return _failed(f"kubemerge: {said}{see}", error, debug)


def _no_such_option(error: click.NoSuchOption, context: click.Context | None) -> str:
    """The message about an unknown option, with a suggestion if an option has a similar name."""
    if context is not None and context.command.name == "owners" and error.option_name in ("--live", "--config"):
        near = ["-f"]
    else:
        from difflib import get_close_matches

        near = get_close_matches(error.option_name, error.possibilities or (), n=1, cutoff=0.75)
    return f"No such option '{error.option_name}'{f'. Did you mean {near[0]!r}?' if near else ''}"


def _written(code: int, debug: bool) -> int:
    """Flush the output and return the exit code.

    Output that cannot be written is dropped. Otherwise the interpreter would fail on it at exit.
    """
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
"""The prefix of a failure that is reported on one line."""


def _failed(text: str, error: Exception, debug: bool, hint: str = "") -> int:
    if debug:
        import traceback

        echo_text("".join(traceback.format_exception(error)), nl=False, err=True)
    if text.startswith(OURS):
        Console().complain(text.removeprefix(OURS))
    else:
        Console().failed(text, hint)
    return 2
