"""Many threads use one Schema, one Tables and one Outcome. Every installed Python runs it, without other packages.

Prints the number of computations, and ends with 1 if the result of a thread differs from a single thread's.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

THREADS = 16


def deployment(number: int) -> dict[str, Any]:
    containers = [{"name": f"c{index}", "image": f"i{index % number}", "env": [{"name": "A"}]} for index in range(1, 9)]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": number, "template": {"spec": {"containers": containers}}},
    }


def main(rounds: int) -> int:
    """Compare the results of many threads with the results of one thread."""
    sys.setswitchinterval(1e-6)
    wrong: list[str] = []
    counted = 0
    for turn in range(rounds):
        for name, made in WORK.items():
            for module in [one for one in sys.modules if one.partition(".")[0] in ("engine", "generated")]:
                if turn % 2 == 0:
                    del sys.modules[module]  # so that the threads meet while tables are read for the first time
            work = made()
            found: list[Any] = [None] * THREADS
            ready = threading.Barrier(THREADS)

            def run(at: int, work: Any = work, found: Any = found, ready: Any = ready) -> None:
                ready.wait()
                try:
                    found[at] = work()
                except BaseException as error:
                    found[at] = f"{type(error).__name__}: {error}"

            threads = [threading.Thread(target=run, args=(at,)) for at in range(THREADS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            alone = made()()
            counted += THREADS
            wrong += [f"{name}: {one}, and alone {alone}"[:500] for one in found if one != alone]
    print(counted)
    print("\n".join(wrong[:3]), file=sys.stderr)
    return 1 if wrong else 0


def _load() -> Any:
    import engine

    return lambda: sorted(engine.load("1.20").kinds())[:50]


def _walk() -> Any:
    import engine

    tables = engine.load("1.31")
    return lambda: [path for path, _ in tables.schema("apps/v1", "Deployment").walk()]


def _schema() -> Any:
    import engine

    schema = engine.load("1.37").schema("apps/v1", "Deployment")
    return lambda: engine.three_way_patch(deployment(2), deployment(3), deployment(4), schema)


def _outcome() -> Any:
    import engine

    schema = engine.load("1.37").schema("apps/v1", "Deployment")
    live = {**deployment(2), "status": {"replicas": 3}}
    outcome = engine.apply(deployment(3), live, schema)
    return lambda: ([(one.path, one.action, one.reason) for one in outcome.changes], outcome.merged, outcome.patch)


def _nothing() -> Any:
    import engine

    schema = engine.load("1.37").schema("apps/v1", "Deployment")
    config = deployment(3)
    live = engine.apply(config, None, schema).merged
    outcome = engine.apply(config, live, schema)
    return lambda: (outcome.result, outcome.merged, outcome.merged is outcome.merged)


def _lint() -> Any:
    import engine

    tables = engine.load("1.37")
    schema = tables.schema("apps/v1", "Deployment")
    return lambda: [
        (one.code, one.path) for one in engine.lint(deployment(3), schema, live=deployment(2), tables=tables)
    ]


def _safe() -> Any:
    import engine

    schema = engine.load("1.30").schema("apps/v1", "Deployment")
    return lambda: engine.apply(deployment(3), deployment(5), schema, last_applied=deployment(2), safe=True).merged


WORK = {
    "loading tables": _load,
    "walking a schema": _walk,
    "merging": _schema,
    "one outcome": _outcome,
    "one outcome in which no changes": _nothing,
    "linting": _lint,
    "merging safely": _safe,
}

if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
