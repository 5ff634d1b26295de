"""Names and params of admission policies. Only users who may read params can make a policy or binding use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..authorization.attributes import Attributes
from ..errors import Invalid
from ..problems import forbidden, invalid
from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_text
from ..user import MASTERS, current_user

if TYPE_CHECKING:
    from ..user import User
    from .context import AdmissionContext

GROUP = "admissionregistration.k8s.io"
ANY = "*"
STATIC, STATIC_GATE = ".static.k8s.io", "ManifestBasedAdmissionControlConfig"
"""The reserved suffix of names, and the gate that reserves it."""
EXPLAINED_SINCE = 32
"""The first minor release whose messages explain why all permissions are needed."""
NOT_PERMITTED = 'user {} does not have "{}" permission on the object referenced by paramRef'


def check_name(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject a new policy or binding with a name that is reserved for manifests of the server."""
    name = content["metadata"]["name"]
    if context.live is None and context.is_complete and name.endswith(STATIC) and is_on(STATIC_GATE, context.minor):
        why = f'names ending with "{STATIC}" are reserved for static manifest-based configurations'
        problem = invalid("metadata.name", name, f"{why} and cannot be managed via the API")
        raise Invalid.of(f"{content['kind']}.{GROUP}", name, [problem])


def check_policy(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject a policy whose author may not read all objects of its paramKind."""
    kind = _spec(content).get("paramKind")
    if kind is None or kind == _spec(context.live or {}).get("paramKind") or not _is_checked(context):
        return
    user, (group, plural) = current_user(), _resource(kind, context)
    asked = Attributes(user, "get", group, plural or ANY, name=ANY, namespace=ANY)
    if not context.authorizer.authorize(asked).allowed:
        named = f"(kind={as_text(kind.get('kind'))}, apiVersion={as_text(kind.get('apiVersion'))})"
        why = f'must have "get" permission on all objects of the referenced paramKind {named}'
        _reject(content, "spec.paramKind", f"user {_printed(user)} {why}")


def check_binding(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject a binding whose author may not read the objects of its paramRef."""
    ref = _spec(content).get("paramRef")
    if ref is None or not _is_checked(context):
        return
    user, kind, wanted = current_user(), content["kind"].removesuffix("Binding"), _spec(content).get("policyName")
    policies = context.of_kind(GROUP, kind, None)
    policy = next((one for one in policies if one["metadata"]["name"] == wanted), None)
    param = _spec(policy or {}).get("paramKind")
    group, plural = (ANY, ANY) if param is None else _resource(param, context)
    name = as_text(ref.get("name"))
    verb = "get" if name else "list"
    asked = Attributes(user, verb, group, plural or ANY, name=name, namespace=as_text(ref.get("namespace")))
    if context.authorizer.authorize(asked).allowed:
        return
    who = f"user {_printed(user)} does not have"
    everything = f'to determine minimum required permissions and {who} "{verb}" permission for all groups'
    if context.minor < EXPLAINED_SINCE:
        why = NOT_PERMITTED.format(verb, _printed(user))
    elif policy is None:
        why = f"unable to get policy {wanted} {everything}, versions and resources"
    elif param is not None and not plural:
        printed = f"&{{{as_text(param.get('apiVersion'))} {as_text(param.get('kind'))}}}"
        why = f"unable to resolve paramKind {printed} {everything}, versions and resources"
    else:
        is_swapped = kind.startswith("Mutating")  # as a server prints it
        why = NOT_PERMITTED.format(*((verb, _printed(user)) if is_swapped else (_printed(user), verb)))
    _reject(content, "spec.paramRef", why)


def _is_checked(context: AdmissionContext) -> bool:
    return context.authorizer.decides and MASTERS not in current_user().groups


def _spec(content: dict[str, Any]) -> dict[str, Any]:
    return as_map(content.get("spec"))


def _resource(kind: dict[str, Any], context: AdmissionContext) -> tuple[str, str]:
    """The group and the plural of a kind. The plural is empty if the kind is not served."""
    api_version = as_text(kind.get("apiVersion"))
    return api_version.rpartition("/")[0], context.plural(api_version, as_text(kind.get("kind")))


def _printed(user: User) -> str:
    """A user as Go prints it with %v."""
    extra = " ".join(f"{key}:[{' '.join(user.extra[key])}]" for key in sorted(user.extra))
    return f"&{{{user.name} {user.uid} [{' '.join(user.groups)}] map[{extra}]}}"


def _reject(content: dict[str, Any], at: str, why: str) -> None:
    raise Invalid.of(f"{content['kind']}.{GROUP}", content["metadata"]["name"], [forbidden(at, why)])
