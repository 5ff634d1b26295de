"""Random settings of the tools, as the manifests that users write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Object = dict[str, Any]
POINTERS = (
    "/spec/replicas",
    "/spec/template/spec/containers/0/image",
    "/spec/template/spec/containers/0/resources",
    "/metadata/labels",
    "/metadata/annotations",
    "/metadata/labels/other",
    "/metadata/annotations/other.example~1y",
    "/data",
    "/data/a",
    "/spec",
    "/spec/ports",
    "/spec/ports/0/nodePort",
    "/spec/type",
    "/spec/selector",
    "/spec/rules",
    "/spec/template/metadata/annotations",
    "/spec/minReplicas",
    "/rules",
    "/status",
    "/missing",
)
KINDS = ("Deployment", "Service", "ConfigMap", "Secret", "HorizontalPodAutoscaler", "StatefulSet", "Real", "CronJob")
MANAGERS = ("controller", "helm", "flux", "kubectl-edit", "kubectl-rollout", "kube-controller-manager")
OPTIONS = ("Replace=true", "Force=true", "RespectIgnoreDifferences=true", "Validate=false", "PruneLast=true")


def flux_kustomization(random: Random) -> Object:
    """A Kustomization of Flux."""
    spec: Object = {"interval": "1m", "prune": random.random() < 0.8}
    if random.random() < 0.2:
        spec["force"] = True
    if random.random() < 0.4:
        spec["ignore"] = [_rule(random) for _ in range(random.randint(1, 3))]
    if random.random() < 0.1:
        spec["commonMetadata"] = {"labels": {"team": "a"}, "annotations": {"owner.example/x": "y"}}
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "app", "namespace": "flux-system"},
        "spec": spec,
    }


def _rule(random: Random) -> Object:
    rule: Object = {"paths": random.sample(POINTERS, random.randint(1, 4))}
    chance = random.random()
    if chance < 0.3:
        rule["target"] = {"kind": random.choice(("Dep.*", "Service", "ConfigMap|Secret", ".*Set"))}
    elif chance < 0.4:
        rule["target"] = {"labelSelector": random.choice(("app", "other=x", "app notin (b)", "!team"))}
    elif chance < 0.5:
        rule["target"] = {"group": "apps", "version": "v1", "namespace": "tests", "name": "p.*"}
    return rule


def argocd_application(random: Random) -> Object:
    """An Application of Argo CD."""
    options = [one for one in OPTIONS if random.random() < 0.15]
    if random.random() < 0.5:
        options.append("ServerSideApply=true")
        if random.random() < 0.15:
            options.append("ClientSideApplyMigration=false")
    policy: Object = {"automated": {"prune": random.random() < 0.8}, "syncOptions": options}
    metadata: Object = {"name": "app", "namespace": "argocd"}
    if random.random() < 0.1:
        metadata["annotations"] = {"argocd.argoproj.io/client-side-apply-migration-manager": "helm"}
    if random.random() < 0.2:
        diff = random.choice(("ServerSideDiff=true", "ServerSideDiff=false"))
        metadata.setdefault("annotations", {})["argocd.argoproj.io/compare-options"] = diff
    spec: Object = {
        "destination": {"server": "https://kubernetes.default.svc", "namespace": "tests"},
        "project": "default",
        "source": {"repoURL": "https://git.example.com/app.git", "path": "."},
        "syncPolicy": policy,
    }
    if random.random() < 0.5:
        spec["ignoreDifferences"] = [_difference(random) for _ in range(random.randint(1, 2))]
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}


def _difference(random: Random) -> Object:
    rule: Object = {"group": "*", "kind": random.choice(("*", "*", "*Set", *KINDS))}
    if random.random() < 0.7:
        rule["jsonPointers"] = random.sample(POINTERS, random.randint(1, 3))
    if random.random() < 0.5:
        rule["managedFieldsManagers"] = random.sample(MANAGERS, random.randint(1, 3))
    return rule
