"""Record `data/` from Kubernetes' own code.

`python -m tests.kubemerge.apiserver.record_reference` does so.

It needs Go and the modules of Kubernetes, some 500 MB for each version, and builds for minutes. With `--add
object.yaml`, an object is added to `data/defaults.json` and recorded with the versions of `--versions`. Objects are
added to the other files by hand, with any result, and so are quantities to `quantities.json` of the engine.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from codegen.documents.yaml_text import documents

HERE = Path(__file__).parent
DATA = HERE / "data"
QUANTITIES = HERE.parents[3] / "engine" / "values" / "quantities.json"
TYPES_OF = "1.37.0"
UNSTAGED = re.compile(r"(k8s\.io/[a-z-]+) => \./staging")
PINNED = re.compile(r"^\s*(?:replace )?(\S+ => [^.\s]\S* \S+)$", re.MULTILINE)
COUNTED = "deprecated.daemonset.template.generation"


def built(program: str, version: str) -> Path:
    """A program of `reference/`, built with one version of Kubernetes."""
    folder = Path(mkdtemp(prefix=f"kubernetes-{version}-"))
    source = (HERE / "reference" / program / "main.go").read_text(encoding="utf-8")
    if int(version.split(".")[1]) < 27:  # their Service strategy needs addresses
        source = re.sub(r'"Service": service\.Strategy,|\t"k8s.io/kubernetes/pkg/registry/core/service"\n', "", source)
        source = source.replace("rest.FillObjectMetaSystemFields(a)", "a.SetCreationTimestamp(metav1.Now())")
    (folder / "main.go").write_text(source, encoding="utf-8")
    lines = [f"module reference\n\ngo 1.22\n\nrequire k8s.io/kubernetes v{version}\n"]
    gomod = _gomod(version)
    lines += [f"replace {name} => {name} v0.{version.partition('.')[2]}" for name in set(UNSTAGED.findall(gomod))]
    lines += [f"replace {pinned}" for pinned in PINNED.findall(gomod)]
    (folder / "go.mod").write_text("\n".join(lines) + "\n", encoding="utf-8")
    subprocess.run(["go", "build", "-mod=mod", "-o", "reference", "."], cwd=folder, check=True)
    return folder / "reference"


def _gomod(version: str) -> str:
    folder = mkdtemp()
    Path(folder, "go.mod").write_text("module reference\n", encoding="utf-8")
    asked = ["go", "mod", "download", "-json", f"k8s.io/kubernetes@v{version}"]
    answer = json.loads(subprocess.run(asked, cwd=folder, check=True, capture_output=True).stdout)
    return Path(answer["GoMod"]).read_text(encoding="utf-8")


program = cache(built)


def asked(name: str, version: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results of a program for some objects, in their order."""
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    answers = subprocess.run([program(name, version)], input=lines, capture_output=True, check=True, text=True).stdout
    return [json.loads(line) for line in answers.splitlines()]


def tidied(filled: dict[str, Any]) -> dict[str, Any]:
    """The compared part: without later changes of a server."""
    metadata = filled["metadata"]
    metadata.pop("creationTimestamp", None)
    metadata.get("annotations", {}).pop(COUNTED, None)
    if metadata.get("annotations") == {}:
        del metadata["annotations"]
    if filled["kind"] != "PersistentVolumeClaim":
        filled.pop("status", None)
    return filled


def record_defaults() -> None:
    """`data/defaults.json`."""
    rows = json.loads((DATA / "defaults.json").read_text(encoding="utf-8"))
    _write("defaults.json", "[\n", answered(rows), "\n]\n")


def add_to_defaults(file: Path, versions: list[str]) -> None:
    """Add the objects of a YAML file, one per document, named after the file."""
    rows = json.loads((DATA / "defaults.json").read_text(encoding="utf-8"))
    added = [
        {"name": file.stem.replace("-", " ") + (f" {number}" if number else ""), "versions": versions, "object": one}
        for number, one in enumerate(documents(file.read_text(encoding="utf-8")))
    ]
    _write("defaults.json", "[\n", [*rows, *answered(added)], "\n]\n")


def answered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results of each version for the objects. Versions with equal results share a row."""
    answers: dict[tuple[str, str], list[str]] = {}
    objects = {row["name"]: row["object"] for row in rows}
    for version in sorted({version for row in rows for version in row["versions"]}, key=lambda text: int(text[2:4])):
        wanted = [row for row in rows if version in row["versions"]]
        for row, answer in zip(wanted, asked("admit", version, wanted), strict=True):
            answers.setdefault((row["name"], json.dumps(tidied(answer["filled"]))), []).append(version)
    kept = [
        {"name": name, "versions": versions, "object": objects[name], "filled": json.loads(filled)}
        for (name, filled), versions in answers.items()
    ]
    return sorted(kept, key=lambda row: list(objects).index(row["name"]))


def record_cases(file: str, name: str, field: str) -> None:
    """Record a file of cases of one version. Hidden values stay hidden."""
    from .validation.test_validation import hidden

    recorded = json.loads((DATA / file).read_text(encoding="utf-8"))
    for case, answer in zip(recorded["cases"], asked(name, recorded["version"], recorded["cases"]), strict=True):
        said = answer.get(field, "")
        said = said.split("\n")[0] if isinstance(said, str) else said
        case[field] = hidden(said) if case.get("values_hidden") else said
    _write(file, f'{{"version":"{recorded["version"]}","cases":[\n', recorded["cases"], "\n]}\n")


def record_quantities() -> None:
    """`tests/engine/values/quantities.json`: each value as printed, alone and in a list, or its error."""
    recorded = json.loads(QUANTITIES.read_text(encoding="utf-8"))
    _write(QUANTITIES, "[\n", asked("quantities", TYPES_OF, recorded), "\n]\n")


def record_urls() -> None:
    """`data/urls.json`: the parts of each URL, or the error; and the error of an HTTP request with it."""
    recorded = json.loads((DATA / "urls.json").read_text(encoding="utf-8"))
    _write("urls.json", "[\n", asked("urls", TYPES_OF, recorded), "\n]\n")


def record_zeros() -> None:
    """`data/zeros.json`: for each type, scalars that are dropped or kept when they are zero, and lists that are null.

    And `data/empty.json`: the printed fields of an empty object, for kinds that have any.
    """
    (found,) = asked("zeros", TYPES_OF, [{}])
    rows = [
        {"type": name, **{said: " ".join(sorted(names)) for said, names in answer.items() if names}}
        for name, answer in sorted(found["types"].items())
        if any(answer.values())
    ]
    _write("zeros.json", "[\n", rows, "\n]\n")
    kinds = sorted(filter(lambda one: one["object"], found["kinds"]), key=lambda one: (one["apiVersion"], one["kind"]))
    _write("empty.json", "[\n", kinds, "\n]\n")


def _write(file: str | Path, head: str, rows: list[dict[str, Any]], tail: str) -> None:
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    (DATA / file).write_text(head + ",\n".join(lines) + tail, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--add", metavar="FILE", type=Path, help="a YAML file with objects for data/defaults.json")
    parser.add_argument("--versions", nargs="+", default=[TYPES_OF], help="the versions that are asked for them")
    given = parser.parse_args()
    if given.add:
        add_to_defaults(given.add, given.versions)
    else:
        record_all()
    sys.stdout.write("compare with git diff\n")


def record_all() -> None:
    """Record everything."""
    for recorder in (
        record_defaults,
        lambda: record_cases("validation.json", "admit", "refused"),
        lambda: record_cases("crd_defaults.json", "structural", "filled"),
        record_quantities,
        record_urls,
        record_zeros,
    ):
        recorder()


if __name__ == "__main__":
    main()
