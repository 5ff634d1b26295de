"""The same applies, config against live, by each engine, and a digest of their rows."""

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from kubemerge.fleet import partitions
from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.cluster import SchedulerLocation
from kubemerge.fleet.reading.items import Item
from kubemerge.fleet.reading.parts import parts
from kubemerge.fleet.reading.sources import sources
from kubemerge.fleet.results import Results
from kubemerge.fleet.workers import workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    Engine = Callable[["EngineInput"], "EngineResult"]

RELEASE = "1.31"


class EngineInput(NamedTuple):
    dumps: Sequence[Path]
    config: Path
    workers: int
    folder: Path
    """An empty folder for its output."""

    @property
    def files(self) -> tuple[ConfigFile, ...]:
        return (ConfigFile("", str(self.config), self.config.read_bytes()),)


class EngineResult(NamedTuple):
    rows: int
    rest: Callable[[], Iterable[dict[str, str]]]
    """The rows, read after the time was taken."""


def plain(given: EngineInput) -> EngineResult:
    """A loop over the lines of the files in one process, which keeps the rows."""
    engine.accelerate()
    work = _drift_request(given).create()
    found = []
    for path in given.dumps:
        with path.open("rb") as lines:
            for line in lines:
                work.begin()  # as in workers: otherwise its counters would grow with the objects
                found += work.rows(Item(path.stem, line, path.name))
    return EngineResult(len(found), lambda: (one._asdict() for one in found))


def dask(given: EngineInput) -> EngineResult:
    """The parts of `kubemerge fleet drift`, without the steps before and after them, which other engines lack."""
    wanted = parts(sources([str(path) for path in given.dumps], "file"))
    with workers(SchedulerLocation(None, given.workers)) as there:
        failed = there.run(_drift_request(given), wanted, str(given.folder), lambda *_: None)
    if failed:
        raise RuntimeError(f"{len(failed)} parts failed")
    results = Results(str(given.folder))
    keys = sorted(results.keys())
    return EngineResult(
        sum(results.about(key).rows for key in keys),
        lambda: (row for key in keys for row in results.read(key).to_pylist()),
    )


def spark(given: EngineInput) -> EngineResult:
    """`mapInArrow` on the lines of the files, in Spark's local mode; the rows are written as Parquet."""
    sql: Any = import_module("pyspark.sql")
    functions: Any = import_module("pyspark.sql.functions")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    built = sql.SparkSession.builder.master(f"local[{given.workers}]").config("spark.ui.enabled", "false")
    session = built.config("spark.sql.execution.arrow.maxRecordsPerBatch", "512").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    files = given.files
    name = functions.regexp_extract(functions.input_file_name(), r"([^/]+)\.jsonl$", 1)
    lines = session.read.text([str(path) for path in given.dumps]).select(
        name.alias("cluster"), functions.col("value").alias("object")
    )

    def drift(batches: Iterator[Any]) -> Iterator[Any]:
        engine.accelerate()
        return partitions.drift(batches, files, RELEASE)

    out = str(given.folder / "rows")
    lines.mapInArrow(drift, partitions.COLUMNS).write.parquet(out)
    session.stop()
    return _parquet(out)


def ray(given: EngineInput) -> EngineResult:
    """`map_batches` on the lines of the files, with Ray on this machine; the rows are written as Parquet."""
    arrow, library = import_module("pyarrow"), import_module("ray")
    import_module("ray.data")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    processors = given.workers + 1  # one reads
    library.init(num_cpus=processors, include_dashboard=False, log_to_driver=False, object_store_memory=1 << 30)
    files = library.put(given.files)

    class Drift:
        def __init__(self) -> None:
            engine.accelerate()
            self._work = CheckSpec("drift", Rules(RELEASE), (("config", library.get(files)),)).create()

        def __call__(self, batch: Any) -> Any:
            names = [path.rpartition("/")[2].partition(".")[0] for path in batch["path"].to_pylist()]
            lines = arrow.record_batch([names, batch["text"].combine_chunks()], names=["cluster", "object"])
            return arrow.Table.from_batches(partitions.run(self._work, [lines]), partitions.schema())

    lines = library.data.read_text([str(path) for path in given.dumps], include_paths=True)
    found = lines.map_batches(Drift, batch_format="pyarrow", batch_size=4096, concurrency=given.workers, num_cpus=1)
    out = str(given.folder / "rows")
    found.write_parquet(out)
    library.shutdown()
    return _parquet(out)


ENGINES: dict[str, Engine] = {"plain": plain, "dask": dask, "spark": spark, "ray": ray}
WORKERS = {"plain": "benchmarks.fleet", "dask": "spawn_main", "spark": "pyspark.daemon", "ray": "ray::"}
"""A word in the command line of the worker processes."""


def _drift_request(given: EngineInput) -> CheckSpec:
    return CheckSpec("drift", Rules(RELEASE), (("config", given.files),), "measured")


def _parquet(folder: str) -> EngineResult:
    found = import_module("pyarrow.dataset").dataset(folder, format="parquet")
    return EngineResult(found.count_rows(), lambda: (row for batch in found.to_batches() for row in batch.to_pylist()))


def digest(rows: Iterable[dict[str, str]], without: str = "") -> str:
    """The same for the same rows in any order, optionally without one of their columns."""
    total = 0
    for row in rows:
        text = repr([value for name, value in sorted(row.items()) if name != without])
        total += int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "big")
    return f"{total % (1 << 128):032x}"
