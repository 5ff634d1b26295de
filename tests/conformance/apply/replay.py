"""Recorded triples with the results of kubectl and of real servers, and those of kubemerge.

`python -m tests.conformance.apply.replay FILE...` chooses some triples of every release from files that the package
kept, and records them for the fast test.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.cli.main import run_words

from .compare import comparable, differing, words, written
from .kubectl import Kubemerge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Case = dict[str, Any]
RECORDED = Path(__file__).parent / "recorded.jsonl.gz"
OF_A_RELEASE = 7
"""The number of recorded triples of a release."""
LONGEST = 9000


def recorded() -> dict[str, list[Case]]:
    """The recorded triples by release."""
    found: dict[str, list[Case]] = {}
    for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines():
        case = json.loads(line)
        found.setdefault(case["release"], []).append(case)
    return found


def replayed(release: str, cases: list[Case], folder: Path) -> list[str]:
    """The differences between kubemerge's results and the recorded ones."""
    ours = Kubemerge(folder / "cluster.db", release, _in_process)
    minor = int(release.partition(".")[2])
    results: list[Case] = [{"words": [], "objects": []} for _ in cases]
    for number, which in enumerate(("first", "second")):
        printed = words(ours.apply(written([case[which] for case in cases], folder / "configs")), minor)
        live = ours.live([case["first"] for case in cases])
        for case, result, content in zip(cases, results, live, strict=True):
            result["words"].append(_unwarned(printed.get(case["first"]["metadata"]["name"], [])))
            result["objects"].append(json.loads(json.dumps(comparable(content))))
        if number == 0:
            ours.patch([(case["first"], case["patch"]) for case in cases])
    return [
        f"{case['kind']} {case['seed']}: {one}"
        for case, result in zip(cases, results, strict=True)
        for one in differing(result, case["theirs"], minor)
    ]


def _unwarned(lines: list[str]) -> list[str]:
    """The lines without warnings: kubectl prints each once, for the first of all objects."""
    return [line for line in lines if not line.startswith("Warning: ")]


def _in_process(arguments: list[str]) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        run_words(arguments)
    return printed.getvalue()


def chosen(cases: Iterable[Case]) -> Iterator[Case]:
    """Some triples of every release, of many kinds, without custom resources."""
    times: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for case in cases:
        release, configured = case["release"], "configured" in str(case["theirs"]["words"][1])
        known = case["patch"] and configured and not case["differs"] and ".com/" not in case["version"]
        if not known or times[release] >= OF_A_RELEASE or len(json.dumps(case["theirs"])) > LONGEST:
            continue
        if kinds[case["kind"]] <= min(kinds.values(), default=0) + 1 and kinds[release + case["kind"]] == 0:
            times[release] += 1
            kinds[case["kind"]] += 1
            kinds[release + case["kind"]] += 1
            theirs = {**case["theirs"], "words": [_unwarned(lines) for lines in case["theirs"]["words"]]}
            yield {key: value for key, value in case.items() if key not in ("ours", "differs")} | {"theirs": theirs}


def main(files: Sequence[str]) -> int:
    """Record triples."""
    kept = (json.loads(line) for file in files for line in Path(file).read_text(encoding="utf-8").splitlines())
    text = "".join(json.dumps(case, sort_keys=True) + "\n" for case in chosen(kept))
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(text.splitlines())} triples, {RECORDED.stat().st_size // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
