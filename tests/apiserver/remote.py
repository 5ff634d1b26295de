"""kubemerge with `--context` as a player: the same commands, sent to the API server of a kubeconfig."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import connect

from .ours import said_by, those_in

if TYPE_CHECKING:
    from pathlib import Path

    from .play import Said
    from .scenarios import Step

_ESTABLISHED = ("wait", "crd", "--all", "--for=condition=Established", "--timeout=20s")
_NAMED = re.compile(r"(?m)^context: .*\n")
"""A line that only kubemerge prints: the context of writes."""
_AGE = re.compile(r"(?m)(^\S+  .* ) {0,2}\d+[mhd]\d*[mhs]?$")
"""The age of objects that the server has had for longer than the recorded one."""


class Remote:
    """Runs kubemerge commands on the server of a kubeconfig."""

    def __init__(self, kubeconfig: str) -> None:
        self._kubeconfig = kubeconfig

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The output of a command line."""
        own = next((at for at, word in enumerate(step.words) if word.startswith("-")), len(step.words))
        words = [*step.words[:own], "--kubeconfig", self._kubeconfig, *step.words[own:]]
        if "--local" in step.words or "--client" in step.words:
            words = step.words
        said = said_by(words, {**env, "KUBEMERGE_CLUSTER": str(folder / "none.db")}, folder, step.stdin)
        if "customresourcedefinition" in said.out and "--dry-run" not in " ".join(step.words):  # as it was recorded
            said_by([*_ESTABLISHED, "--kubeconfig", self._kubeconfig], {}, folder, None)
        return said._replace(out=_AGE.sub(r"\1 0s", said.out), err=_NAMED.sub("", said.err))

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The existing ones of these objects."""
        with connect(self._kubeconfig) as cluster:
            return those_in(cluster, namespace, names)
