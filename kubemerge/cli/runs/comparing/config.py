"""The objects of a config to compare, each with its live object."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...inputs import files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....offline.pairs import Inputs, Others
    from ....offline.server_objects import ServerObjects
    from ....offline.tables import Schemas
    from ...failures import Failures
    from ...options.clusters import ClusterLocation


@dataclass(frozen=True)
class Objects:
    """The objects to apply on each side."""

    config: tuple[str, ...]
    live: tuple[str, ...]
    last: str | None
    namespace: str | None
    recursive: bool
    where: ClusterLocation


def inputs(objects: Objects, newest: Schemas, failures: Failures) -> Iterator[Inputs]:
    """The objects of the config, each with its live object. Failures are reported, and other tools' YAML is skipped."""
    from ....linting.repository.skip_reasons import skip_reason
    from ....offline.pairs import no_object_in

    seen = False
    with _others(objects, newest) as others:
        manifests = failures.manifests(objects.config, recursive=objects.recursive, skip_reason=skip_reason)
        for manifest in others.prefetched(manifests):
            seen, found = True, None
            with failures.catch(manifest.place, manifest.title):
                found = others.of(manifest)
            if found is not None:
                yield found
    failures.print_skipped()
    if not seen and not failures.count:
        raise no_object_in(objects.config)


@contextmanager
def _others(objects: Objects, newest: Schemas) -> Iterator[Others | ServerObjects]:
    """The live objects, of files or of a server."""
    if not objects.where.is_server:
        from ....offline.pairs import Others

        asked = {"namespace": objects.namespace, "recursive": objects.recursive}
        yield Others(objects.live, objects.last, newest, files(), **asked)  # type: ignore[arg-type]
        return
    from ....offline.server_objects import ServerObjects
    from ...options.clusters import connected
    from ..merge import refuse_files

    refuse_files(objects.live, objects.last)
    with connected(objects.where) as cluster:
        yield ServerObjects(cluster, objects.namespace, newest)
