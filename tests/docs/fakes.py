"""Fakes of kopf, lightkube and kr8s, so that the documentation's programs run without them.

Each has only the parts that the programs use, with the names and arguments of the real one, and responds as an API
server does.
"""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator


class Server:
    """Objects by kind and name, and the patches sent."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], dict[str, Any]] = {}
        self.sent: list[tuple[str, Any]] = []

    def get(self, kind: str, name: str) -> dict[str, Any] | None:
        return self.objects.get((kind, name))

    def create(self, document: dict[str, Any]) -> None:
        self.sent.append(("create", document))
        self._keep(document)

    def patch(self, kind: str, name: str, patch: dict[str, Any], content_type: str) -> dict[str, Any]:
        """Apply a patch. A resource version that is not the live one is rejected with a conflict."""
        self.sent.append((content_type, patch))
        live = self.objects[kind, name]
        schema = None
        if content_type == "application/strategic-merge-patch+json":
            schema = engine.load("1.31").schema(live["apiVersion"], kind)
        merged = engine.apply_patch(live, patch, schema)
        if merged["metadata"]["resourceVersion"] != live["metadata"]["resourceVersion"]:
            raise Refused(409)
        return self._keep(merged)

    def _keep(self, document: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = json.loads(json.dumps(document))
        kept["metadata"]["resourceVersion"] = str(len(self.sent))
        self.objects[kept["kind"], kept["metadata"]["name"]] = kept
        return kept


class Refused(Exception):
    """The error of lightkube."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.status = SimpleNamespace(code=code)


class Object(dict[str, Any]):
    """A generic resource of lightkube."""

    to_dict = dict.copy


def modules(server: Server) -> dict[str, ModuleType]:
    """The modules to put into `sys.modules`."""
    kopf = _module("kopf", on=SimpleNamespace(create=_on, update=_on, resume=_on), append_owner_reference=_owned)
    kopf.__dict__.update(PermanentError=type("PermanentError", (Exception,), {}), TemporaryError=_Temporary)
    return {
        "kopf": kopf,
        "lightkube": _module("lightkube", ApiError=Refused, Client=lambda: LightClient(server)),
        "lightkube.generic_resource": _module("lightkube.generic_resource", create_namespaced_resource=_resource),
        "lightkube.types": _module("lightkube.types", PatchType=PatchType),
        "kr8s": _module("kr8s", NotFoundError=NotFound),
        "kr8s.asyncio": _module("kr8s.asyncio"),
        "kr8s.asyncio.objects": _module("kr8s.asyncio.objects", new_class=_new_class(server)),
    }


def _module(name: str, **contents: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(contents)
    return module


class _Temporary(Exception):
    def __init__(self, text: str, *, delay: float) -> None:
        super().__init__(text)


def _on(*resource: str) -> Callable[[Any], Any]:
    assert resource == ("example.com", "v1", "shops")
    return lambda handler: handler


def _owned(objs: dict[str, Any], owner: dict[str, Any]) -> None:
    reference = {key: owner[key] for key in ("apiVersion", "kind")} | {
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
    }
    objs["metadata"].setdefault("ownerReferences", []).append(reference)


class PatchType:
    """lightkube's names of the content types."""

    STRATEGIC = SimpleNamespace(value="application/strategic-merge-patch+json")
    MERGE = SimpleNamespace(value="application/merge-patch+json")


def _resource(group: str, version: str, kind: str, plural: str) -> type[Object]:
    assert (group, version, plural) == ("apps", "v1", "deployments")
    return type(kind, (Object,), {})


class LightClient:
    """The client of lightkube."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def get(self, res: type[Object], name: str, *, namespace: str) -> Object:
        found = self._server.get(res.__name__, name)
        if found is None:
            raise Refused(404)
        return res(found)

    def create(self, obj: Object, *, namespace: str) -> None:
        assert obj["metadata"]["namespace"] == namespace
        self._server.create(obj.to_dict())

    def patch(self, res: type[Object], name: str, obj: Any, *, namespace: str, patch_type: Any) -> None:
        self._server.patch(res.__name__, name, obj, patch_type.value)


class NotFound(Exception):
    """The error of kr8s."""


def _new_class(server: Server) -> Callable[..., type]:
    def new_class(kind: str, version: str, *, plural: str) -> type:
        class Kr8sObject:
            endpoint = plural

            def __init__(self, resource: dict[str, Any]) -> None:
                self.raw = Object(resource)
                self.version = version
                self.awaited = False
                self.name = resource["metadata"]["name"]
                self.namespace = resource["metadata"]["namespace"]
                self.api = SimpleNamespace(call_api=self._call)

            def __await__(self) -> Generator[None, None, Kr8sObject]:
                self.awaited = True
                yield from ()
                return self

            def to_dict(self) -> dict[str, Any]:
                return dict(self.raw)

            @classmethod
            async def get(cls, name: str, namespace: str) -> Kr8sObject:
                found = server.get(kind, name)
                if found is None:
                    raise NotFound
                return cls(found)

            async def create(self) -> None:
                assert self.awaited, "an object of kr8s is awaited before it is used"
                server.create(self.raw)

            async def patch(self, patch: dict[str, Any]) -> None:
                self.raw = Object(server.patch(kind, self.name, patch, "application/merge-patch+json"))

            @asynccontextmanager
            async def _call(
                self, method: str, *, version: str, url: str, namespace: str, content: str, headers: dict[str, str]
            ) -> AsyncIterator[Any]:
                assert (method, url) == ("PATCH", f"{plural}/{self.name}")
                merged = server.patch(kind, self.name, json.loads(content), headers["Content-Type"])
                yield SimpleNamespace(json=lambda: merged)

        return Kr8sObject

    return new_class
