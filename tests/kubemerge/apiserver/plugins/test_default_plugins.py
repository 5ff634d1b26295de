"""docs/reference/admission.md lists the admission plugins of kube-apiserver."""

from __future__ import annotations

import re

from ....conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "admission.md").read_text(encoding="utf-8")
DEFAULT = {
    "NamespaceLifecycle": 10,
    "LimitRanger": 10,
    "ServiceAccount": 10,
    "TaintNodesByCondition": 17,
    "PodSecurity": 22,
    "Priority": 16,
    "DefaultTolerationSeconds": 10,
    "DefaultStorageClass": 10,
    "StorageObjectInUseProtection": 15,
    "PodGroupProtection": 36,
    "PersistentVolumeClaimResize": 11,
    "RuntimeClass": 17,
    "CertificateApproval": 18,
    "CertificateSigning": 18,
    "ClusterTrustBundleAttest": 27,
    "CertificateSubjectRestriction": 18,
    "DefaultIngressClass": 18,
    "PodTopologyLabels": 33,
    "NodeDeclaredFeatureValidator": 35,
    "PodResizeValidator": 36,
    "MutatingAdmissionPolicy": 32,
    "MutatingAdmissionWebhook": 10,
    "ValidatingAdmissionPolicy": 26,
    "ValidatingAdmissionWebhook": 10,
    "ResourceQuota": 10,
}
"""Plugins of 1.37.1 that are on by default, in their order, with the first minor release since 1.10. From
`DefaultOffAdmissionPlugins` and `AllOrderedPlugins` in pkg/kubeapiserver/options/plugins.go.
"""
OFF = {
    "AlwaysAdmit",
    "AlwaysDeny",
    "AlwaysPullImages",
    "DenyServiceExternalIPs",
    "EventRateLimit",
    "ExtendedResourceToleration",
    "ImagePolicyWebhook",
    "LimitPodHardAntiAffinityTopology",
    "NamespaceAutoProvision",
    "NamespaceExists",
    "NodeRestriction",
    "OwnerReferencesPermissionEnforcement",
    "PodNodeSelector",
    "PodTolerationRestriction",
}
ROWS = re.findall(r"^\| `(\w+)` \| 1\.(\d+)[^|]* \| ([^|]+) \| ?(?:`([^`]+)`)? ?\|$", PAGE, re.MULTILINE)


def test_the_page_lists_all_default_plugins_in_order() -> None:
    assert [(name, int(since)) for name, since, _, _ in ROWS] == list(DEFAULT.items())


def test_each_plugin_has_a_module_or_a_reason() -> None:
    for name, _, effect, module in ROWS:
        assert bool(module) is not effect.startswith("not built: "), name
        assert not module or (ROOT / "kubemerge" / "apiserver" / module).exists(), module


def test_the_page_lists_all_other_plugins() -> None:
    paragraph = next(one for one in PAGE.split("\n\n") if one.startswith("Further plugins"))
    assert set(re.findall(r"`(\w+)`", paragraph)) == OFF
