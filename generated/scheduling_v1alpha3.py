"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AllCompositeDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'AllDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'BasicSchedulingPolicy': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'CompositeBasicSchedulingPolicy': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'CompositeDisruptionMode': (
        ('all', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('single', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'CompositeGangSchedulingPolicy': (
        ('minGroupCount', 37, None, 'primitive', 'integer'),
    ),
    'CompositePodGroup': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupSpec'),
        ('status', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupStatus'),
    ),
    'CompositePodGroupList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'scheduling_v1alpha3.CompositePodGroup', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'CompositePodGroupSchedulingConstraints': (
        ('topology', 37, None, 'list', 'scheduling_v1alpha3.TopologyConstraint', None, None, 'atomic'),
    ),
    'CompositePodGroupSchedulingPolicy': (
        ('basic', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 37, None, 'map', 'scheduling_v1alpha3.CompositeGangSchedulingPolicy'),
    ),
    'CompositePodGroupSpec': (
        ('disruptionMode', 37, None, 'map', 'scheduling_v1alpha3.CompositeDisruptionMode'),
        ('parentCompositePodGroupName', 37, None, 'primitive', 'string'),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupSchedulingPolicy'),
        ('workloadRef', 37, None, 'map', 'scheduling_v1alpha3.WorkloadReference'),
    ),
    'CompositePodGroupStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
    ),
    'CompositePodGroupTemplate': (
        ('compositePodGroupTemplates', 37, None, 'list', 'scheduling_v1alpha3.CompositePodGroupTemplate', None, None, 'map', ('name',)),
        ('disruptionMode', 37, None, 'map', 'scheduling_v1alpha3.CompositeDisruptionMode'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('podGroupTemplates', 37, None, 'list', 'scheduling_v1alpha3.PodGroupTemplate', None, None, 'map', ('name',)),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1alpha3.CompositePodGroupSchedulingPolicy'),
    ),
    'DisruptionMode': (
        ('all', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('single', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'GangSchedulingPolicy': (
        ('minCount', 37, None, 'primitive', 'integer'),
    ),
    'PodGroup': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'scheduling_v1alpha3.PodGroupSpec'),
        ('status', 37, None, 'map', 'scheduling_v1alpha3.PodGroupStatus'),
    ),
    'PodGroupList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'scheduling_v1alpha3.PodGroup', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'PodGroupResourceClaim': (
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('resourceClaimName', 37, None, 'primitive', 'string'),
        ('resourceClaimTemplateName', 37, None, 'primitive', 'string'),
    ),
    'PodGroupResourceClaimStatus': (
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('resourceClaimName', 37, None, 'primitive', 'string'),
    ),
    'PodGroupSchedulingConstraints': (
        ('topology', 37, None, 'list', 'scheduling_v1alpha3.TopologyConstraint', None, None, 'atomic'),
    ),
    'PodGroupSchedulingPolicy': (
        ('basic', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 37, None, 'map', 'scheduling_v1alpha3.GangSchedulingPolicy'),
    ),
    'PodGroupSpec': (
        ('disruptionMode', 37, None, 'map', 'scheduling_v1alpha3.DisruptionMode'),
        ('parentCompositePodGroupName', 37, None, 'primitive', 'string'),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('resourceClaims', 37, None, 'list', 'scheduling_v1alpha3.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1alpha3.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1alpha3.PodGroupSchedulingPolicy'),
        ('workloadRef', 37, None, 'map', 'scheduling_v1alpha3.WorkloadReference'),
    ),
    'PodGroupStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('resourceClaimStatuses', 37, None, 'list', 'scheduling_v1alpha3.PodGroupResourceClaimStatus', 'merge,retainKeys', 'name', 'map', ('name',)),
    ),
    'PodGroupTemplate': (
        ('disruptionMode', 37, None, 'map', 'scheduling_v1alpha3.DisruptionMode'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('resourceClaims', 37, None, 'list', 'scheduling_v1alpha3.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1alpha3.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1alpha3.PodGroupSchedulingPolicy'),
    ),
    'SingleCompositeDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'SingleDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'TopologyConstraint': (
        ('key', 37, None, 'primitive', 'string'),
    ),
    'TypedLocalObjectReference': (
        ('apiGroup', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('name', 37, None, 'primitive', 'string'),
    ),
    'Workload': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'scheduling_v1alpha3.WorkloadSpec'),
    ),
    'WorkloadList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'scheduling_v1alpha3.Workload', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'WorkloadPodGroupAllDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'WorkloadPodGroupBasicSchedulingPolicy': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'WorkloadPodGroupDisruptionMode': (
        ('all', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('single', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'WorkloadPodGroupGangSchedulingPolicy': (
        ('minCount', 37, None, 'primitive', 'integer'),
    ),
    'WorkloadPodGroupResourceClaim': (
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('resourceClaimName', 37, None, 'primitive', 'string'),
        ('resourceClaimTemplateName', 37, None, 'primitive', 'string'),
    ),
    'WorkloadPodGroupSchedulingConstraints': (
        ('topology', 37, None, 'list', 'scheduling_v1alpha3.TopologyConstraint', None, None, 'atomic'),
    ),
    'WorkloadPodGroupSchedulingPolicy': (
        ('basic', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 37, None, 'map', 'scheduling_v1alpha3.WorkloadPodGroupGangSchedulingPolicy'),
    ),
    'WorkloadPodGroupSingleDisruptionMode': (
        ('', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'WorkloadReference': (
        ('templateName', 37, None, 'primitive', 'string'),
        ('workloadName', 37, None, 'primitive', 'string'),
    ),
    'WorkloadSpec': (
        ('compositePodGroupTemplates', 37, None, 'list', 'scheduling_v1alpha3.CompositePodGroupTemplate', None, None, 'map', ('name',)),
        ('controllerRef', 37, None, 'map', 'scheduling_v1alpha3.TypedLocalObjectReference'),
        ('podGroupTemplates', 37, None, 'list', 'scheduling_v1alpha3.PodGroupTemplate', None, None, 'map', ('name',)),
    ),
}
