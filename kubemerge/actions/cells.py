"""What the cells of kubectl's tables say of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cluster.looking import a_map, found, maps, number
from .ages import age, duration, moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Object

    Cell = Callable[[Object], Any]

NONE, UNKNOWN = "<none>", "<unknown>"


def at(path: str, otherwise: Any = NONE) -> Cell:
    """The value at a path, or something else where there is none."""

    def cell(one: Object) -> Any:
        value = found(one, path)
        return otherwise if value in (None, "", [], {}) else value

    return cell


def created(one: Object) -> str:
    """When the object was created."""
    return str(found(one, "metadata.creationTimestamp") or UNKNOWN)


def aged(path: str = "metadata.creationTimestamp", otherwise: str = UNKNOWN) -> Cell:
    """How long ago a time was."""
    return lambda one: age(found(one, path)) if found(one, path) else otherwise


def of(some: str, all_: str) -> Cell:
    """How many of how many there are: `2/3`."""
    return lambda one: f"{found(one, some) or 0}/{_count(found(one, all_))}"


def _count(value: Any) -> Any:
    return 0 if value is None else value


def size(*paths: str) -> Cell:
    """How many entries there are in maps or lists."""

    def cell(one: Object) -> int:
        return sum(len(value) for value in (found(one, path) for path in paths) if isinstance(value, (dict, list)))

    return cell


def each(path: str, field: str) -> Cell:
    """A field of every element of a list, with commas between."""
    owner, _, last = path.rpartition(".")

    def cell(one: Object) -> str:
        holder = a_map(found(one, owner)) if owner else one
        return ",".join(str(found(item, field)) for _, item in maps(holder, last) if found(item, field)) or NONE

    return cell


def pairs(path: str) -> Cell:
    """A map of labels: `app=web,tier=front`."""
    return lambda one: ",".join(f"{key}={value}" for key, value in sorted(a_map(found(one, path)).items())) or NONE


def selecting(path: str) -> Cell:
    """A label selector, as people write one."""

    def cell(one: Object) -> str:
        chosen = a_map(found(one, path))
        said = [f"{key}={value}" for key, value in sorted(a_map(chosen.get("matchLabels")).items())]
        said += [_expression(item) for _, item in maps(chosen, "matchExpressions")]
        return ",".join(said) or NONE

    return cell


def _expression(one: Object) -> str:
    key, operator = one.get("key"), str(one.get("operator"))
    if operator in ("Exists", "DoesNotExist"):
        return f"{'!' if operator == 'DoesNotExist' else ''}{key}"
    return f"{key} {operator.lower()} ({','.join(map(str, one.get('values') or ()))})"


# ---- pods --------------------------------------------------------------------------------------------------------


def pod_ready(one: Object) -> str:
    """How many of a pod's containers are ready."""
    states = [state for _, state in maps(a_map(one.get("status")), "containerStatuses")]
    return f"{sum(bool(state.get('ready')) for state in states)}/{size('spec.containers')(one)}"


def pod_status(one: Object) -> str:
    """In which state a pod is; why a container waits or ended says more than the phase."""
    if found(one, "metadata.deletionTimestamp"):
        return "Terminating"
    reasons = [
        found(state, f"state.{way}.reason")
        for _, state in maps(a_map(one.get("status")), "containerStatuses")
        for way in ("waiting", "terminated")
    ]
    said = next((reason for reason in reversed(reasons) if reason), None)
    return str(said or found(one, "status.reason") or found(one, "status.phase") or UNKNOWN)


def restarts(one: Object) -> int:
    """How often the containers of a pod were begun anew."""
    states = maps(a_map(one.get("status")), "containerStatuses")
    return sum(number(state.get("restartCount")) or 0 for _, state in states)


# ---- the others --------------------------------------------------------------------------------------------------


def ports(one: Object) -> str:
    """The ports of a Service: `80:30080/TCP`."""
    return ",".join(_port(port) for _, port in maps(a_map(one.get("spec")), "ports")) or NONE


def _port(port: Object) -> str:
    on_nodes = f":{port['nodePort']}" if port.get("nodePort") else ""
    return f"{port.get('port')}{on_nodes}/{port.get('protocol', 'TCP')}"


def external(one: Object) -> str:
    """Where a Service can be reached from outside."""
    if found(one, "spec.type") == "ExternalName":
        return str(found(one, "spec.externalName"))
    given = [str(address) for address in found(one, "spec.externalIPs") or ()] + _balanced(one)
    if not given and found(one, "spec.type") == "LoadBalancer":
        return "<pending>"
    return ",".join(given) or NONE


def _balanced(one: Object) -> list[str]:
    entries = maps(a_map(found(one, "status.loadBalancer")), "ingress")
    return [str(entry.get("ip") or entry.get("hostname")) for _, entry in entries]


def address(one: Object) -> str:
    """Where an Ingress can be reached."""
    return ",".join(_balanced(one))


def hosts(one: Object) -> str:
    """The hosts of an Ingress; * is any."""
    said = [str(rule.get("host") or "*") for _, rule in maps(a_map(one.get("spec")), "rules")]
    return ",".join(said) or "*"


def ingress_ports(one: Object) -> str:
    """The ports of an Ingress."""
    return "80, 443" if found(one, "spec.tls") else "80"


def node_status(one: Object) -> str:
    """Whether a Node is ready, and takes pods."""
    conditions = maps(a_map(one.get("status")), "conditions")
    ready = next((each.get("status") for _, each in conditions if each.get("type") == "Ready"), None)
    said = {"True": "Ready", None: "Unknown"}.get(ready, "NotReady")
    return f"{said},SchedulingDisabled" if found(one, "spec.unschedulable") else said


def roles(one: Object) -> str:
    """What a Node is for, as its labels say."""
    mark = "node-role.kubernetes.io/"
    labels = a_map(found(one, "metadata.labels"))
    return ",".join(sorted(key.removeprefix(mark) for key in labels if key.startswith(mark))) or NONE


def job_status(one: Object) -> str:
    """How a Job stands."""
    for _, condition in maps(a_map(one.get("status")), "conditions"):
        if condition.get("status") == "True" and condition.get("type") in ("Complete", "Failed", "Suspended"):
            return str(condition["type"])
    return "Terminating" if found(one, "metadata.deletionTimestamp") else "Running"


def completions(one: Object) -> str:
    """How many pods of a Job have succeeded, of how many."""
    wanted = found(one, "spec.completions")
    if wanted is None:
        parallel = found(one, "spec.parallelism") or 0
        wanted = f"1 of {parallel}" if isinstance(parallel, int) and parallel > 1 else 1
    return f"{found(one, 'status.succeeded') or 0}/{wanted}"


def took(one: Object) -> str:
    """How long a Job ran."""
    begun, ended = (moment(found(one, f"status.{name}")) for name in ("startTime", "completionTime"))
    if begun is None:
        return ""
    return duration((ended - begun).total_seconds()) if ended else age(found(one, "status.startTime"))


def access(path: str) -> Cell:
    """How a volume may be mounted: `RWO,ROX`."""
    short = {"ReadWriteOnce": "RWO", "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOncePod": "RWOP"}

    def cell(one: Object) -> str:
        values = found(one, path)
        return ",".join(short.get(str(value), str(value)) for value in values) if isinstance(values, list) else ""

    return cell


def claim(one: Object) -> str:
    """The claim that a volume is bound to."""
    reference = a_map(found(one, "spec.claimRef"))
    return f"{reference.get('namespace')}/{reference.get('name')}" if reference else ""


def referred(path: str) -> Cell:
    """What a reference means: `Deployment/web`."""

    def cell(one: Object) -> str:
        reference = a_map(found(one, path))
        return f"{reference.get('kind')}/{reference.get('name')}" if reference else NONE

    return cell


def endpoints(one: Object) -> str:
    """The addresses behind a Service; three, and how many more there are."""
    known = [
        f"{entry.get('ip')}:{port.get('port')}"
        for _, subset in maps(one, "subsets")
        for _, port in maps(subset, "ports")
        for _, entry in maps(subset, "addresses")
    ]
    more = f" + {len(known) - 3} more..." if len(known) > 3 else ""
    return ",".join(known[:3]) + more if known else NONE
