"""Kinds of writers by their names in managedFields: people, controllers, and tools that apply.

Clients choose these names and nothing checks them. The kinds are therefore those of the usual names.
"""

from __future__ import annotations

from engine.serverside.managers import APPLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine import Owner

SERVER, PERSON, CONTROLLER, APPLIED, UNKNOWN = "server", "person", "controller", "apply", "unknown"

_APPLIES = frozenset(
    {
        *(
            "kubectl-client-side-apply",
            "before-first-apply",
            "helm",
            "Helm",
            "argocd-controller",
            "argocd-application-controller",
        ),
        *("kustomize-controller", "helm-controller", "kapp-controller", "Terraform", "HashiCorp", "OpenAPI-Generator"),
    }
)
"""Tools that write whole objects from an external source: kubectl, Helm, Argo CD, Flux, Terraform, Ansible."""
_BY_HAND = frozenset({"kubectl", "k9s", "curl", "Mozilla", "node-fetch", "Headlamp", "headlamp", "oc", "oc-edit"})
"""Programs that people use to change single fields; `kubectl` is `kubectl scale` and other commands without a name."""
_CONTROLLERS = frozenset({"kubelet", "kube-scheduler", "kube-apiserver", "kube-proxy", "kubeadm", "manager"})
_ENDS_OF_CONTROLLERS = ("-controller", "-manager", "-operator", "-autoscaler", "-updater", "-webhook", "-injector")


def kind_of(owner: Owner) -> str:
    """The kind of a manager: a person, a controller, an apply, or unknown."""
    name = owner.manager
    if owner.operation == APPLY or name in _APPLIES:
        return APPLIED
    if name in _BY_HAND or name.startswith("kubectl-"):
        return PERSON
    if name in _CONTROLLERS or name.endswith(_ENDS_OF_CONTROLLERS) or owner.subresource == "status":
        return CONTROLLER
    return UNKNOWN


def in_words(owner: Owner) -> str:
    """A manager with its kind: `a controller: kube-controller-manager (Update through scale)`."""
    kind = kind_of(owner)
    return f"{_NOUNS[kind]}: {owner}" if kind in _NOUNS else str(owner)


_NOUNS = {PERSON: "a user", CONTROLLER: "a controller", APPLIED: "another apply"}
