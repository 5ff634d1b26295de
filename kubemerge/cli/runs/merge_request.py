"""The objects and options of a merge."""

from __future__ import annotations

from engine.values.immutable import Immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine import aliases


class MergeRequest(Immutable):
    """The objects to merge without sending them, and the options."""

    __slots__ = (  # noqa: RUF023 - the order in which they are filled
        "config",
        "live",
        "cluster",
        "last",
        "recursive",
        "namespace",
        "release",
        "schema",
        "overwrite",
        "safe",
        "lists",
        "context",
        "kubeconfig",
        "policies",
    )
    config: tuple[str, ...]
    live: tuple[str, ...]
    cluster: str | None
    last: str | None
    recursive: bool
    namespace: str | None
    release: str | None
    schema: tuple[str, ...]
    overwrite: bool
    safe: bool
    lists: aliases.Lists
    context: str | None
    kubeconfig: str | None
    policies: tuple[str, ...]

    def __init__(
        self,
        config: tuple[str, ...],
        live: tuple[str, ...] = (),
        cluster: str | None = None,
        last: str | None = None,
        recursive: bool = False,
        namespace: str | None = None,
        release: str | None = None,
        schema: tuple[str, ...] = (),
        overwrite: bool = True,
        safe: bool = False,
        lists: aliases.Lists = "kubectl",
        context: str | None = None,
        kubeconfig: str | None = None,
        policies: tuple[str, ...] = (),
    ) -> None:
        self._fill(
            *(config, live, cluster, last, recursive, namespace, release, schema, overwrite, safe, lists),
            *(context, kubeconfig, policies),
        )

    def with_config(self, config: tuple[str, ...]) -> MergeRequest:
        """The same request for other files."""
        return MergeRequest(config, *[getattr(self, name) for name in self.__slots__[1:]])

    @property
    def is_server(self) -> bool:
        """Whether an API server is selected."""
        return self.context is not None or self.kubeconfig is not None
