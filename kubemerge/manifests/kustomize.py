"""Build kustomizations with the installed kustomize, or with kubectl, which includes one."""

from __future__ import annotations

from engine import MergeError

PREFIX = "kustomization:"
"""The prefix of a path that is a kustomization folder."""


_COMMANDS = (("kustomize", "build"), ("kubectl", "kustomize"))


class NotBuilt(MergeError):
    """A kustomization that cannot be built."""


def build(path: str) -> bytes:
    """The objects of the kustomization that a prefixed path selects, as YAML."""
    import re
    import shutil
    import subprocess

    folder = path.removeprefix(PREFIX)
    command = next((command for command in _COMMANDS if shutil.which(command[0])), None)
    if command is None:
        raise NotBuilt(
            f"{folder}: neither kustomize nor kubectl is installed. Install one, or pass the built output with -f"
        )
    done = subprocess.run([*command, "--", folder], check=False, capture_output=True)
    if done.returncode:
        errors = done.stderr.decode(errors="replace").strip().splitlines() or ["the build failed"]
        quoted = re.search(r'err="(.*)"', errors[-1])
        reason = quoted[1] if quoted else errors[-1].removeprefix("error: ").removeprefix("Error: ")
        raise NotBuilt(f"{folder}: {' '.join(command)}: {reason}")
    return done.stdout
