"""Record a first server-side apply by kubectl with a real API server: `python -m tests.kubemerge.migrate.record`.

KUBECONFIG names the server, and KUBEMERGE_REAL_API the folder with kubectl in it. Each scenario of scenarios.yaml is
played in a separate namespace, which is deleted.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

from codegen.documents.yaml_text import documents

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"


def scenarios() -> list[dict[str, Any]]:
    """The scenarios, by hand."""
    (found,) = documents((HERE / "scenarios.yaml").read_text(encoding="utf-8"))
    return list(found)


class Kubectl:
    """kubectl in one namespace."""

    def __init__(self, namespace: str) -> None:
        self.program = str(Path(os.environ.get("KUBEMERGE_REAL_API", "")) / "kubectl")
        self.namespace = namespace

    def run(self, *words: str, given: Any = None) -> subprocess.CompletedProcess[str]:
        """Run a command, and return its result."""
        text = "" if given is None else json.dumps(given)
        line = [self.program, "-n", self.namespace, *words]
        return subprocess.run(line, input=text, capture_output=True, text=True, check=False, timeout=60)

    def done(self, *words: str, given: Any = None) -> str:
        """The output of a command that has to succeed."""
        said = self.run(*words, given=given)
        assert said.returncode == 0, said.stderr
        return said.stdout


def played(scenario: dict[str, Any], number: int) -> dict[str, Any]:
    """The live object before and after, and the fields of the conflicts."""
    kubectl = Kubectl(f"migrate-{os.getpid()}-{number}")
    kubectl.done("create", "namespace", kubectl.namespace)
    try:
        for step in scenario["steps"]:
            kubectl.done(*shlex.split(step["run"].replace('"', '\\"')), given=step.get("input"))
        config = scenario["config"]
        named = (config["kind"].lower(), config["metadata"]["name"])
        get = ("get", *named, "-o", "json", "--show-managed-fields")
        live = json.loads(kubectl.done(*get))
        apply = ["apply", "--server-side", "-f", "-"]
        apply += ["--field-manager", scenario["manager"]] if "manager" in scenario else []
        said = kubectl.run(*apply, given=config)
        forced = kubectl.run(*apply, "--force-conflicts", given=config) if said.returncode else said
        after = json.loads(kubectl.done(*get)) if forced.returncode == 0 else None
        refused = forced.stderr if forced.returncode else ""
        recorded = {"name": scenario["name"], "live": live, "conflicts": conflicts_in(said.stderr)}
        return {**recorded, "after": after, "refused": refused}
    finally:
        kubectl.done("delete", "namespace", kubectl.namespace, "--wait=false")


def conflicts_in(said: str) -> list[str]:
    """The fields that a message of kubectl names."""
    one = re.findall(r"conflict with .*?: (\.\S+)$", said, re.MULTILINE)
    return sorted({*one, *re.findall(r"^- (\..*)$", said, re.MULTILINE)})


if __name__ == "__main__":
    found = [played(scenario, number) for number, scenario in enumerate(scenarios())]
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
