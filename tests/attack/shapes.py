"""Objects of any size, in twenty shapes: last-applied config, new config, and live object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import last_applied_text

from ..kubemerge.objects import ANNOTATION, config_map, deployment

if TYPE_CHECKING:
    from collections.abc import Callable

    Object = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Case:
    """The three documents of one apply, and the kind whose rules they merge by."""

    last: Object
    config: Object
    live: Object
    api_version: str
    kind: str


def _case(last: Object, config: Object, live: Object) -> Case:
    """The documents, with the annotation of the last apply on the live object."""
    metadata = live["metadata"]
    annotations = {**metadata.get("annotations", {}), ANNOTATION: last_applied_text(last)}
    return Case(
        last, config, {**live, "metadata": {**metadata, "annotations": annotations}}, live["apiVersion"], live["kind"]
    )


def _pod(containers: list[Object], **spec: Any) -> Object:
    return deployment("web", *containers, **spec)


def _web(**fields: Any) -> Object:
    return {"name": "web", "image": "web:1", **fields}


def _service(ports: list[Object]) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web"},
        "spec": {"selector": {"app": "web"}, "ports": ports},
    }


def _named(count: int, prefix: str = "n", **fields: Any) -> list[Object]:
    return [{"name": f"{prefix}{number}", **fields} for number in range(count)]


def _maps(last: Object, config: Object, live: Object) -> Case:
    return _case(config_map("m", last), config_map("m", config), config_map("m", live))


def _meta(field: str, last: Any, config: Any, live: Any) -> Case:
    return _case(*(config_map("m", {"a": "b"}, **{field: value}) for value in (last, config, live)))


def _texts(count: int, prefix: str = "v") -> dict[str, str]:
    return {f"k{number}": f"{prefix}{number}" for number in range(count)}


def many_fields(size: int) -> Case:
    """A map whose values all change, and to which others have added as many."""
    return _maps(_texts(size), _texts(size, "w"), {**_texts(size), **{f"o{n}": "x" for n in range(size)}})


def all_removed(size: int) -> Case:
    """A map whose keys are all removed."""
    return _maps(_texts(size), {}, _texts(size))


def all_renamed_keys(size: int) -> Case:
    """A map whose keys all have new names."""
    return _maps(_texts(size), {f"r{n}": f"v{n}" for n in range(size)}, _texts(size))


def long_keyed_list(size: int) -> Case:
    """The environment of a container, in which every value changes."""
    old, new = ([{"name": f"N{n}", "value": value} for n in range(size)] for value in ("a", "b"))
    return _case(_pod([_web(env=old)]), _pod([_web(env=new)]), _pod([_web(env=old)]))


def only_in_live(size: int) -> Case:
    """Environment variables. Another manager has set half of them."""
    mine = [{"name": f"N{n}", "value": "a"} for n in range(size)]
    others = [{"name": f"O{n}", "value": "a"} for n in range(size)]
    return _case(_pod([_web(env=mine)]), _pod([_web(env=mine)]), _pod([_web(env=mine + others)]))


def all_reordered(size: int) -> Case:
    """An environment in the opposite order."""
    env = [{"name": f"N{n}", "value": "a"} for n in range(size)]
    return _case(_pod([_web(env=env)]), _pod([_web(env=env[::-1])]), _pod([_web(env=env)]))


def shuffled(size: int) -> Case:
    """Volumes in three orders that have nothing to do with each other."""
    volumes = _named(size, emptyDir={})
    orders = (volumes, [volumes[n * 7919 % size] for n in range(size)], volumes[::-1])
    return _case(*(_volumes(order) for order in orders))


def _volumes(volumes: list[Object]) -> Object:
    found = _pod([_web()])
    found["spec"]["template"]["spec"]["volumes"] = volumes
    return found


def many_containers(size: int) -> Case:
    """Containers that all get another image."""
    old, new = _named(size, image="a:1"), _named(size, image="a:2")
    return _case(_pod(old), _pod(new), _pod(old))


def containers_renamed(size: int) -> Case:
    """Containers that all get another name."""
    old, new = _named(size, image="a:1"), _named(size, "r", image="a:1")
    return _case(_pod(old), _pod(new), _pod(old))


def containers_removed(size: int) -> Case:
    """Containers that are all removed but one."""
    old = _named(size, image="a:1")
    return _case(_pod(old), _pod(old[:1]), _pod(old))


def finalizers(size: int) -> Case:
    """Finalizers: a list of strings that merges, of which half changes."""
    old = [f"a.example/f{n}" for n in range(size)]
    new = [f"a.example/{'g' if n % 2 else 'f'}{n}" for n in range(size)]
    return _meta("finalizers", old, new, [*old, *(f"a.example/o{n}" for n in range(size))])


def owners(size: int) -> Case:
    """Owner references, by uid, of which half changes."""
    old = [{"apiVersion": "v1", "kind": "Pod", "name": f"p{n}", "uid": f"u{n}"} for n in range(size)]
    new = [{**one, "uid": f"w{n}"} if n % 2 else one for n, one in enumerate(old)]
    return _meta("ownerReferences", old, new, old)


def ports(size: int) -> Case:
    """Ports of a Service, each number with two protocols."""
    both = [{"name": f"p{n}{of}", "port": n + 1, "protocol": of} for n in range(size // 2) for of in ("TCP", "UDP")]
    return _case(_service(both), _service([{**one, "targetPort": 80} for one in both]), _service(both))


def container_ports(size: int) -> Case:
    """Ports of a container, without protocols in config."""
    mine = [{"containerPort": n + 1} for n in range(size)]
    live = [{**one, "protocol": "TCP"} for one in mine]
    return _case(_pod([_web(ports=mine)]), _pod([_web(ports=mine[::2])]), _pod([_web(ports=live)]))


def many_annotations(size: int) -> Case:
    """Annotations, which all change."""
    return _meta("annotations", _texts(size), _texts(size, "w"), _texts(size))


def huge_annotation(size: int) -> Case:
    """One annotation of many lines."""
    return _meta("annotations", {"a": "line\n" * size}, {"a": "lime\n" * size}, {"a": "line\n" * size})


def long_texts(size: int) -> Case:
    """One long text of a ConfigMap, in which every line changes."""
    return _maps({"a": "text\n" * size}, {"a": "test\n" * size}, {"a": "text\n" * size})


def long_scalar_list(size: int) -> Case:
    """Arguments of a container: a list that is replaced."""
    old, new = ([f"--flag{n}={value}" for n in range(size)] for value in (1, 2))
    return _case(_pod([_web(args=old)]), _pod([_web(args=new)]), _pod([_web(args=old)]))


def deep(size: int) -> Case:
    """A custom resource that is as deep as may be, many times over."""
    old, new = ({"spec": {f"k{n}": _nest(value) for n in range(max(1, size // 50))}} for value in (1, 2))
    head = {"apiVersion": "test.example/v1", "kind": "Thing", "metadata": {"name": "t"}}
    return _case({**head, **old}, {**head, **new}, {**head, **old})


def _nest(value: Any) -> Any:
    for _ in range(50):
        value = {"a": value}
    return value


def custom_lists(size: int) -> Case:
    """A custom resource with a list of maps, all of them changed."""
    head = {"apiVersion": "test.example/v1", "kind": "Thing", "metadata": {"name": "t"}}
    old, new = ({**head, "spec": {"items": _named(size, value=value)}} for value in (1, 2))
    return _case(old, new, old)


def duplicates(size: int) -> Case:
    """An environment in which each name occurs twice."""
    env = [{"name": f"N{n // 2}", "value": f"{n}"} for n in range(size)]
    return _case(_pod([_web(env=env)]), _pod([_web(env=env[::2])]), _pod([_web(env=env)]))


def choices(size: int) -> Case:
    """Volumes that all become another kind of volume."""
    old, new = _named(size, emptyDir={}), _named(size, configMap={"name": "a"})
    return _case(_volumes(old), _volumes(new), _volumes(old))


def quantities(size: int) -> Case:
    """Containers whose quantities are written in another form."""
    old, new = [_named(size, image="a", resources={"limits": {"cpu": cpu}}) for cpu in ("500m", "0.5")]
    return _case(_pod(new), _pod(new), _pod(old))


def unknown_fields(size: int) -> Case:
    """A ConfigMap with fields that no ConfigMap has."""
    more = {f"field{n}": "a" for n in range(size)}
    return _case(*({**config_map("m", {"a": "b"}), **each} for each in (more, more, {})))


SHAPES: tuple[Callable[[int], Case], ...] = (
    many_fields,
    all_removed,
    all_renamed_keys,
    long_keyed_list,
    only_in_live,
    all_reordered,
    shuffled,
    many_containers,
    containers_renamed,
    containers_removed,
    finalizers,
    owners,
    ports,
    container_ports,
    many_annotations,
    huge_annotation,
    long_texts,
    long_scalar_list,
    deep,
    custom_lists,
    duplicates,
    choices,
    quantities,
    unknown_fields,
)
