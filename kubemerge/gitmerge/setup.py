"""Register the merge driver and the text conversion in git's configuration and attributes."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine import MergeError

from ..linting.repository import git

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "kubemerge"
PATTERNS = ("*.yaml", "*.yml")
"""The files that are merged by field."""
_OPTIONS = "%O %A %B --marker-size %L --path %P --base-label %S --ours-label %X --theirs-label %Y"
_MISSING = 5
"""The exit code of `git config` for a key or section that is not set."""
_NO_REPOSITORY = ". Run the command in a git repository, or pass --global"


class SetupFailed(MergeError):
    """Git configuration that cannot be read or written."""


def settings() -> dict[str, str]:
    """The keys of git's configuration with their values."""
    command = NAME
    if shutil.which(NAME) is None:
        command = f"{shlex.quote(sys.executable)} -m {NAME}"
    return {
        f"merge.{NAME}.name": "merge Kubernetes manifests by field",
        f"merge.{NAME}.driver": f"{command} git-merge {_OPTIONS}",
        f"diff.{NAME}.textconv": f"{command} git-textconv",
    }


def set_up(*, everywhere: bool) -> list[str]:
    """Write the configuration, and return a line for each change."""
    scope = "--global" if everywhere else "--local"
    attributes = _attributes(everywhere)
    text = _text(attributes)
    wanted = [f"{pattern} merge={NAME} diff={NAME}" for pattern in PATTERNS]
    missing = [line for line in wanted if line not in text.splitlines()]
    said = []
    for key, value in settings().items():
        if _git("config", scope, "--get", key, fails=True) != value:
            _git("config", scope, key, value)
            said.append(f"set {key} in the {scope[2:]} git configuration")
    if missing:
        begin = f"{text}\n" if text and not text.endswith("\n") else text
        _write(attributes, begin + "".join(f"{line}\n" for line in missing))
        said += [f"added `{line}` to {attributes}" for line in missing]
    return said


def undo(*, everywhere: bool) -> list[str]:
    """Remove the configuration, and return a line for each change."""
    scope = "--global" if everywhere else "--local"
    attributes = _attributes(everywhere)
    said = []
    for section in (f"merge.{NAME}", f"diff.{NAME}"):
        if _git("config", scope, "--get-regexp", f"^{section}\\.", fails=True):
            _git("config", scope, "--remove-section", section)
            said.append(f"removed {section} from the {scope[2:]} git configuration")
    lines = _text(attributes).splitlines(keepends=True)
    ours = {f"{pattern} merge={NAME} diff={NAME}" for pattern in PATTERNS}
    kept = [line for line in lines if line.strip() not in ours]
    if kept != lines:
        _write(attributes, "".join(kept))
        said += [f"removed `{line.strip()}` from {attributes}" for line in lines if line.strip() in ours]
    return said


def _attributes(everywhere: bool) -> Path:
    """The file with git attributes."""
    if not everywhere:
        top = _git("rev-parse", "--show-toplevel", advice=_NO_REPOSITORY)
        own = Path(top) / ".gitattributes"
        if own.is_symlink():  # a repository could name any file, and git does not read such a link either
            raise SetupFailed(f"{own}: is a symbolic link, which git ignores. Replace it by a file")
        return own
    found = _git("config", "--global", "--type=path", "--get", "core.attributesFile", fails=True)
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(found) if found else Path(base) / "git" / "attributes"


def _git(*words: str, fails: bool = False, advice: str = "") -> str:
    program = git.program()
    if program is None:
        raise SetupFailed("git is not installed. Install git")
    done = subprocess.run([program, *words], check=False, capture_output=True)
    if done.returncode and not (fails and done.returncode in (1, _MISSING)):
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it failed"]
        raise SetupFailed(f"git {' '.join(words[:2])}: {said[-1].removeprefix('fatal: ')}{advice}")
    return done.stdout.decode(errors="surrogateescape").rstrip("\n")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SetupFailed(f"{path}: {error.strerror or error}. Make the file readable") from None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not text:
            path.unlink()
            return
        path.write_bytes(text.encode(errors="surrogateescape"))
    except OSError as error:
        raise SetupFailed(f"{path}: {error.strerror or error}. Make the file writable") from None


def summary(changes: Sequence[str]) -> list[str]:
    """The changes, or a line that nothing changes."""
    return [*changes] or ["nothing to change"]
