"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'BasicSchedulingPolicy': (
        ('', 36, 36, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'GangSchedulingPolicy': (
        ('minCount', 36, 36, 'primitive', 'integer'),
    ),
    'PodGroup': (
        ('apiVersion', 36, 36, 'primitive', 'string'),
        ('kind', 36, 36, 'primitive', 'string'),
        ('metadata', 36, 36, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupSpec'),
        ('status', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupStatus'),
    ),
    'PodGroupList': (
        ('apiVersion', 36, 36, 'primitive', 'string'),
        ('items', 36, 36, 'list', 'scheduling_v1alpha2.PodGroup', None, None, 'atomic', None, 1),
        ('kind', 36, 36, 'primitive', 'string'),
        ('metadata', 36, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'PodGroupResourceClaim': (
        ('name', 36, 36, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('resourceClaimName', 36, 36, 'primitive', 'string'),
        ('resourceClaimTemplateName', 36, 36, 'primitive', 'string'),
    ),
    'PodGroupResourceClaimStatus': (
        ('name', 36, 36, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('resourceClaimName', 36, 36, 'primitive', 'string'),
    ),
    'PodGroupSchedulingConstraints': (
        ('topology', 36, 36, 'list', 'scheduling_v1alpha2.TopologyConstraint', None, None, 'atomic'),
    ),
    'PodGroupSchedulingPolicy': (
        ('basic', 36, 36, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 36, 36, 'map', 'scheduling_v1alpha2.GangSchedulingPolicy'),
    ),
    'PodGroupSpec': (
        ('disruptionMode', 36, 36, 'primitive', 'string'),
        ('podGroupTemplateRef', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupTemplateReference'),
        ('priority', 36, 36, 'primitive', 'integer'),
        ('priorityClassName', 36, 36, 'primitive', 'string'),
        ('resourceClaims', 36, 36, 'list', 'scheduling_v1alpha2.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupSchedulingPolicy'),
    ),
    'PodGroupStatus': (
        ('conditions', 36, 36, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('resourceClaimStatuses', 36, 36, 'list', 'scheduling_v1alpha2.PodGroupResourceClaimStatus', 'merge,retainKeys', 'name', 'map', ('name',)),
    ),
    'PodGroupTemplate': (
        ('disruptionMode', 36, 36, 'primitive', 'string'),
        ('name', 36, 36, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('priority', 36, 36, 'primitive', 'integer'),
        ('priorityClassName', 36, 36, 'primitive', 'string'),
        ('resourceClaims', 36, 36, 'list', 'scheduling_v1alpha2.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 36, 36, 'map', 'scheduling_v1alpha2.PodGroupSchedulingPolicy'),
    ),
    'PodGroupTemplateReference': (
        ('workload', 36, 36, 'map', 'scheduling_v1alpha2.WorkloadPodGroupTemplateReference'),
    ),
    'TopologyConstraint': (
        ('key', 36, 36, 'primitive', 'string'),
    ),
    'TypedLocalObjectReference': (
        ('apiGroup', 36, 36, 'primitive', 'string'),
        ('kind', 36, 36, 'primitive', 'string'),
        ('name', 36, 36, 'primitive', 'string'),
    ),
    'Workload': (
        ('apiVersion', 36, 36, 'primitive', 'string'),
        ('kind', 36, 36, 'primitive', 'string'),
        ('metadata', 36, 36, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 36, 36, 'map', 'scheduling_v1alpha2.WorkloadSpec'),
    ),
    'WorkloadList': (
        ('apiVersion', 36, 36, 'primitive', 'string'),
        ('items', 36, 36, 'list', 'scheduling_v1alpha2.Workload', None, None, 'atomic', None, 1),
        ('kind', 36, 36, 'primitive', 'string'),
        ('metadata', 36, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'WorkloadPodGroupTemplateReference': (
        ('podGroupTemplateName', 36, 36, 'primitive', 'string'),
        ('workloadName', 36, 36, 'primitive', 'string'),
    ),
    'WorkloadSpec': (
        ('controllerRef', 36, 36, 'map', 'scheduling_v1alpha2.TypedLocalObjectReference'),
        ('podGroupTemplates', 36, 36, 'list', 'scheduling_v1alpha2.PodGroupTemplate', None, None, 'map', ('name',)),
    ),
}
