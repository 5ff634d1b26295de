"""In-tree plugins that Kubernetes removed: volumes, cloud providers, image credentials, admission and scheduling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .hazard import PODS, Hazard, flags, is_one_of, is_set, pull_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .hazard import Object


class Driver(NamedTuple):
    """An in-tree volume plugin whose volumes a CSI driver handles now."""

    field: str
    """The field of the volume source."""
    provisioner: str
    """The suffix of `kubernetes.io/...`, the provisioner of a StorageClass."""
    driver: str
    gate: str
    migrated: str
    """The first release in which the gate is on by default, so the CSI driver replaces the plugin."""
    removed: str
    """The first release without the plugin."""
    folder: str
    """The folder in `pkg/volume` that is gone since then."""


DRIVERS = (
    Driver("awsElasticBlockStore", "aws-ebs", "ebs.csi.aws.com", "AWS", "1.23", "1.27", "awsebs"),
    Driver("azureDisk", "azure-disk", "disk.csi.azure.com", "AzureDisk", "1.23", "1.27", "azuredd"),
    Driver("azureFile", "azure-file", "file.csi.azure.com", "AzureFile", "1.24", "1.30", "azure_file"),
    Driver("cinder", "cinder", "cinder.csi.openstack.org", "OpenStack", "1.21", "1.26", "cinder"),
    Driver("gcePersistentDisk", "gce-pd", "pd.csi.storage.gke.io", "GCE", "1.23", "1.28", "gcepd"),
    Driver("portworxVolume", "portworx-volume", "pxd.portworx.com", "Portworx", "1.31", "1.36", "portworx"),
    Driver("vsphereVolume", "vsphere-volume", "csi.vsphere.vmware.com", "vSphere", "1.25", "1.30", "vsphere_volume"),
)
PROVISIONERS = (
    ("cephfs", "1.31", "cephfs"),
    ("flocker", "1.25", "flocker"),
    ("glusterfs", "1.26", "glusterfs"),
    ("photon-pd", "1.16", "photon_pd"),
    ("quobyte", "1.25", "quobyte"),
    ("rbd", "1.31", "rbd"),
    ("scaleio", "1.22", "scaleio"),
    ("storageos", "1.25", "storageos"),
)
"""Plugins without a successor: the suffix of the provisioner, the first release without it, and its folder."""
_UNWARNED = ("flocker", "quobyte")
"""The fields of removed plugins in PersistentVolumes. No server warns of them."""


class Cloud(NamedTuple):
    """An in-tree cloud provider."""

    name: str
    """The value of `--cloud-provider`, and the folder of `k8s.io/legacy-cloud-providers`."""
    removed: str
    annotations: tuple[str, ...]
    """The annotations of Services that only it read. A `*` at the end stands for any rest."""


CLOUDS = (
    Cloud("aws", "1.27", ("service.beta.kubernetes.io/aws-load-balancer-*",)),
    Cloud("azure", "1.30", ("service.beta.kubernetes.io/azure-*",)),
    Cloud(
        "gce",
        "1.31",
        (
            "alpha.cloud.google.com/load-balancer-backend-share",
            "cloud.google.com/l4-rbs",
            "cloud.google.com/load-balancer-backend-share",
            "cloud.google.com/load-balancer-type",
            "cloud.google.com/network-tier",
            "networking.gke.io/internal-load-balancer-allow-global-access",
            "networking.gke.io/internal-load-balancer-subnet",
            "networking.gke.io/load-balancer-type",
        ),
    ),
    Cloud(
        "openstack",
        "1.26",
        (
            "loadbalancer.openstack.org/floating-network-id",
            "loadbalancer.openstack.org/subnet-id",
            "service.beta.kubernetes.io/openstack-internal-load-balancer",
        ),
    ),
    Cloud("vsphere", "1.30", ()),
)
REGISTRIES = (
    (
        r"\d{12}\.dkr\.ecr(-fips)?\.[\w-]+\.(amazonaws\.com(\.cn)?|sc2s\.sgov\.gov|c2s\.ic\.gov)/",
        "1.27",
        "ecr-credential-provider",
        "pkg/credentialprovider/aws, gone in 1.27",
    ),
    (
        r"[\w.-]+\.azurecr\.(io|cn|de|us)/",
        "1.29",
        "acr-credential-provider",
        "gate DisableKubeletCloudCredentialProviders, on by default since 1.29",
    ),
    (
        r"(([\w-]+\.)?gcr\.io|[\w.-]+\.pkg\.dev)/",
        "1.29",
        "auth-provider-gcp",
        "gate DisableKubeletCloudCredentialProviders, on by default since 1.29",
    ),
)
"""The registries whose credentials the kubelet fetched itself: the release that stopped, the plugin instead, source."""
ADMISSION = {
    "DenyEscalatingExec": "1.21",
    "DenyExecOnPrivileged": "1.21",
    "JobValidation": "1.37",
    "PersistentVolumeLabel": "1.31",
    "PodGroupWorkloadExists": "1.37",
    "PodPreset": "1.20",
    "PodSecurityPolicy": "1.25",
    "SecurityContextDeny": "1.30",
}
"""The admission plugins of kube-apiserver that were removed, each with the first release without it."""


def plugins() -> Iterator[Hazard]:
    """The hazards of all removed plugins."""
    for driver in DRIVERS:
        yield from _migrated(driver)
    for name, since, folder in PROVISIONERS:
        gone = f"pkg/volume/{folder}, gone in {since}"
        text = "the in-tree plugin was removed, so no volume is provisioned"
        holds, advice = is_one_of(f"kubernetes.io/{name}"), "use the StorageClass of a CSI driver"
        yield Hazard(since, "inert", "breaking", ("StorageClass",), "provisioner", holds, text, advice, gone)
        if name in _UNWARNED:
            text = "the in-tree plugin was removed, so the volume is not mounted"
            advice = "move the data to a volume of a CSI driver"
            yield Hazard(since, "inert", "breaking", ("PersistentVolume",), f"spec.{name}", is_set, text, advice, gone)
    for cloud in CLOUDS:
        yield from _cloud(cloud)
    for pattern, since, plugin, source in REGISTRIES:
        text = "the kubelet no longer fetches credentials of this registry itself"
        advice = f"install the credential provider plugin {plugin} on the nodes, or set imagePullSecrets"
        for place in ("initContainers", "containers"):
            path = f"pod:{place}.*.image"
            yield Hazard(since, "changed", "info", PODS, path, _pulls_from(pattern), text, advice, source)
    yield from _components()


def _migrated(one: Driver) -> Iterator[Hazard]:
    gate = f"CSIMigration{one.gate}"
    changes = (
        (
            one.migrated,
            "changed",
            f"the CSI driver {one.driver} handles the volume instead of the in-tree plugin",
            f"pkg/features/kube_features.go of {one.migrated}: gate {gate} is on by default",
        ),
        (
            one.removed,
            "inert",
            f"the in-tree plugin was removed, so the volume requires the CSI driver {one.driver}",
            f"pkg/volume/{one.folder}, gone in {one.removed}",
        ),
    )
    places = (
        (PODS, f"pod:volumes.*.{one.field}", is_set),
        (("PersistentVolume",), f"spec.{one.field}", is_set),
        (("StorageClass",), "provisioner", is_one_of(f"kubernetes.io/{one.provisioner}")),
    )
    for since, sort, text, source in changes:
        for kinds, path, holds in places:
            advice = f"install the CSI driver {one.driver} before the upgrade"
            yield Hazard(since, sort, "notable", kinds, path, holds, text, advice, source)


def _cloud(one: Cloud) -> Iterator[Hazard]:
    source = f"k8s.io/legacy-cloud-providers/{one.name}, gone in {one.removed}"
    for annotation in one.annotations:
        yield Hazard(
            one.removed,
            "changed",
            "notable",
            ("Service",),
            f"metadata.annotations.{annotation}",
            is_set,
            f"the in-tree cloud provider {one.name} was removed, and only an external controller reads the annotation",
            "run the cloud-controller-manager of the cloud before the upgrade",
            source,
        )
    yield Hazard(
        one.removed,
        "changed",
        "breaking",
        PODS,
        "pod:containers.*",
        _has_flag("--cloud-provider", one.name, "kube-controller-manager", "kube-apiserver"),
        f"the in-tree cloud provider {one.name} was removed, so the program does not start with this flag",
        "set --cloud-provider=external, and run the cloud-controller-manager of the cloud",
        source,
    )


def _components() -> Iterator[Hazard]:
    """Flags of Kubernetes' own programs, as in the static Pods of kubeadm."""
    for name, since in ADMISSION.items():
        yield Hazard(
            since,
            "changed",
            "breaking",
            PODS,
            "pod:containers.*",
            _has_plugin(name),
            f"the admission plugin {name} was removed, so kube-apiserver does not start with this flag",
            f"remove {name} from --enable-admission-plugins and --disable-admission-plugins",
            f"pkg/kubeapiserver/options/plugins.go of {since}",
        )
    yield Hazard(
        "1.26",
        "changed",
        "breaking",
        PODS,
        "pod:containers.*",
        _has_flag("--proxy-mode", "userspace", "kube-proxy"),
        "the proxy mode userspace was removed, so kube-proxy does not start with this flag",
        "set --proxy-mode=iptables",
        "pkg/proxy/userspace, gone in 1.26",
    )
    for flag in ("--policy-config-file", "--policy-configmap", "--policy-configmap-namespace"):
        yield Hazard(
            "1.23",
            "changed",
            "breaking",
            PODS,
            "pod:containers.*",
            _has_flag(flag, None, "kube-scheduler"),
            f"scheduling policies were removed, so kube-scheduler does not start with {flag}",
            "pass a KubeSchedulerConfiguration with --config",
            "cmd/kube-scheduler/app/options/deprecated.go of 1.23",
        )


def _pulls_from(pattern: str) -> Callable[[Any, Object], bool]:
    """Match images of a registry in pods without pull secrets."""
    found = re.compile(pattern)
    return lambda value, content: isinstance(value, str) and bool(found.match(value)) and not pull_secrets(content)


def _has_flag(flag: str, given: str | None, *programs: str) -> Callable[[Any, Object], bool]:
    return lambda value, _: any(name == flag and given in (None, text) for name, text in flags(value, *programs))


def _has_plugin(plugin: str) -> Callable[[Any, Object], bool]:
    names = ("--enable-admission-plugins", "--disable-admission-plugins")
    return lambda value, _: any(
        name in names and plugin in text.split(",") for name, text in flags(value, "kube-apiserver")
    )
