"""Build kustomizations with the installed kustomize, or with kubectl, which includes one."""

from __future__ import annotations

from engine import MergeError

PREFIX = "kustomization:"
"""The prefix of a path that is a kustomization folder."""


_PROGRAMS = (("kustomize", "build"), ("kubectl", "kustomize"))


class NotBuilt(MergeError):
    """A kustomization that cannot be built."""


def build(path: str) -> bytes:
    """The objects of the kustomization that a prefixed path selects, as YAML."""
    import re
    import shutil
    import subprocess

    folder = path.removeprefix(PREFIX)
    words = next((words for words in _PROGRAMS if shutil.which(words[0])), None)
    if words is None:
        raise NotBuilt(
            f"{folder}: neither kustomize nor kubectl is installed. Install one, or pass the built output with -f"
        )
    done = subprocess.run([*words, "--", folder], check=False, capture_output=True)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["the build failed"]
        logged = re.search(r'err="(.*)"', said[-1])
        reason = logged[1] if logged else said[-1].removeprefix("error: ").removeprefix("Error: ")
        raise NotBuilt(f"{folder}: {' '.join(words)}: {reason}")
    return done.stdout
