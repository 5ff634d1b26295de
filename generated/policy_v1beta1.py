"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AllowedCSIDriver': (
        ('name', 14, 24, 'primitive', 'string'),
    ),
    'AllowedFlexVolume': (
        ('driver', 10, 24, 'primitive', 'string'),
    ),
    'AllowedHostPath': (
        ('pathPrefix', 10, 24, 'primitive', 'string'),
        ('readOnly', 11, 24, 'primitive', 'boolean'),
    ),
    'Eviction': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('deleteOptions', 7, 21, 'map', 'meta_v1.DeleteOptions'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
    ),
    'FSGroupStrategyOptions': (
        ('ranges', 10, 24, 'list', 'policy_v1beta1.IDRange', None, None, 'atomic', None, 1),
        ('rule', 10, 24, 'primitive', 'string'),
    ),
    'HostPortRange': (
        ('max', 10, 24, 'primitive', 'integer'),
        ('min', 10, 24, 'primitive', 'integer'),
    ),
    'IDRange': (
        ('max', 10, 24, 'primitive', 'integer'),
        ('min', 10, 24, 'primitive', 'integer'),
    ),
    'PodDisruptionBudget': (
        ('apiVersion', 7, 24, 'primitive', 'string'),
        ('kind', 7, 24, 'primitive', 'string'),
        ('metadata', 7, 24, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 24, 'map', 'policy_v1beta1.PodDisruptionBudgetSpec'),
        ('status', 7, 24, 'map', 'policy_v1beta1.PodDisruptionBudgetStatus'),
    ),
    'PodDisruptionBudgetList': (
        ('apiVersion', 7, 24, 'primitive', 'string'),
        ('items', 7, 24, 'list', 'policy_v1beta1.PodDisruptionBudget', None, None, 'atomic', None, 1),
        ('kind', 7, 24, 'primitive', 'string'),
        ('metadata', 7, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'PodDisruptionBudgetSpec': (
        ('maxUnavailable', 7, 24, 'primitive', 'int-or-string'),
        ('minAvailable', 7, 24, 'primitive', 'int-or-string'),
        ('selector', 7, 19, 'map', 'meta_v1.LabelSelector'),
        ('selector', 20, 20, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('selector', 21, 23, 'map', 'meta_v1.LabelSelector', 'replace', None, None, None, None, 'atomic'),
        ('selector', 24, 24, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
    ),
    'PodDisruptionBudgetStatus': (
        ('conditions', 21, 24, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('currentHealthy', 7, 24, 'primitive', 'integer'),
        ('desiredHealthy', 7, 24, 'primitive', 'integer'),
        ('disruptedPods', 7, 24, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('disruptionsAllowed', 7, 24, 'primitive', 'integer'),
        ('expectedPods', 7, 24, 'primitive', 'integer'),
        ('observedGeneration', 7, 24, 'primitive', 'integer'),
    ),
    'PodSecurityPolicy': (
        ('apiVersion', 10, 24, 'primitive', 'string'),
        ('kind', 10, 24, 'primitive', 'string'),
        ('metadata', 10, 24, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 10, 24, 'map', 'policy_v1beta1.PodSecurityPolicySpec'),
    ),
    'PodSecurityPolicyList': (
        ('apiVersion', 10, 24, 'primitive', 'string'),
        ('items', 10, 24, 'list', 'policy_v1beta1.PodSecurityPolicy', None, None, 'atomic', None, 1),
        ('kind', 10, 24, 'primitive', 'string'),
        ('metadata', 10, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'PodSecurityPolicySpec': (
        ('allowPrivilegeEscalation', 10, 24, 'primitive', 'boolean'),
        ('allowedCSIDrivers', 14, 24, 'list', 'policy_v1beta1.AllowedCSIDriver', None, None, 'atomic', None, 1),
        ('allowedCapabilities', 10, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('allowedFlexVolumes', 10, 24, 'list', 'policy_v1beta1.AllowedFlexVolume', None, None, 'atomic', None, 1),
        ('allowedHostPaths', 10, 24, 'list', 'policy_v1beta1.AllowedHostPath', None, None, 'atomic', None, 1),
        ('allowedProcMountTypes', 12, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('allowedUnsafeSysctls', 11, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('defaultAddCapabilities', 10, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('defaultAllowPrivilegeEscalation', 10, 24, 'primitive', 'boolean'),
        ('forbiddenSysctls', 11, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('fsGroup', 10, 24, 'map', 'policy_v1beta1.FSGroupStrategyOptions'),
        ('hostIPC', 10, 24, 'primitive', 'boolean'),
        ('hostNetwork', 10, 24, 'primitive', 'boolean'),
        ('hostPID', 10, 24, 'primitive', 'boolean'),
        ('hostPorts', 10, 24, 'list', 'policy_v1beta1.HostPortRange', None, None, 'atomic', None, 1),
        ('privileged', 10, 24, 'primitive', 'boolean'),
        ('readOnlyRootFilesystem', 10, 24, 'primitive', 'boolean'),
        ('requiredDropCapabilities', 10, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('runAsGroup', 13, 24, 'map', 'policy_v1beta1.RunAsGroupStrategyOptions'),
        ('runAsUser', 10, 24, 'map', 'policy_v1beta1.RunAsUserStrategyOptions'),
        ('runtimeClass', 15, 24, 'map', 'policy_v1beta1.RuntimeClassStrategyOptions'),
        ('seLinux', 10, 24, 'map', 'policy_v1beta1.SELinuxStrategyOptions'),
        ('supplementalGroups', 10, 24, 'map', 'policy_v1beta1.SupplementalGroupsStrategyOptions'),
        ('volumes', 10, 24, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'RunAsGroupStrategyOptions': (
        ('ranges', 13, 24, 'list', 'policy_v1beta1.IDRange', None, None, 'atomic', None, 1),
        ('rule', 13, 24, 'primitive', 'string'),
    ),
    'RunAsUserStrategyOptions': (
        ('ranges', 10, 24, 'list', 'policy_v1beta1.IDRange', None, None, 'atomic', None, 1),
        ('rule', 10, 24, 'primitive', 'string'),
    ),
    'RuntimeClassStrategyOptions': (
        ('allowedRuntimeClassNames', 15, 24, 'list', 'string', None, None, 'atomic', None, 1),
        ('defaultRuntimeClassName', 15, 24, 'primitive', 'string'),
    ),
    'SELinuxStrategyOptions': (
        ('rule', 10, 24, 'primitive', 'string'),
        ('seLinuxOptions', 10, 24, 'map', 'core_v1.SELinuxOptions'),
    ),
    'SupplementalGroupsStrategyOptions': (
        ('ranges', 10, 24, 'list', 'policy_v1beta1.IDRange', None, None, 'atomic', None, 1),
        ('rule', 10, 24, 'primitive', 'string'),
    ),
}
