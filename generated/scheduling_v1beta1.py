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
    'CompositePodGroupSchedulingConstraints': (
        ('topology', 37, None, 'list', 'scheduling_v1beta1.TopologyConstraint', None, None, 'atomic'),
    ),
    'CompositePodGroupSchedulingPolicy': (
        ('basic', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 37, None, 'map', 'scheduling_v1beta1.CompositeGangSchedulingPolicy'),
    ),
    'CompositePodGroupTemplate': (
        ('compositePodGroupTemplates', 37, None, 'list', 'scheduling_v1beta1.CompositePodGroupTemplate', None, None, 'map', ('name',)),
        ('disruptionMode', 37, None, 'map', 'scheduling_v1beta1.CompositeDisruptionMode'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('podGroupTemplates', 37, None, 'list', 'scheduling_v1beta1.PodGroupTemplate', None, None, 'map', ('name',)),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1beta1.CompositePodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1beta1.CompositePodGroupSchedulingPolicy'),
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
        ('spec', 37, None, 'map', 'scheduling_v1beta1.PodGroupSpec'),
        ('status', 37, None, 'map', 'scheduling_v1beta1.PodGroupStatus'),
    ),
    'PodGroupList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'scheduling_v1beta1.PodGroup', None, None, 'atomic', None, 1),
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
        ('topology', 37, None, 'list', 'scheduling_v1beta1.TopologyConstraint', None, None, 'atomic'),
    ),
    'PodGroupSchedulingPolicy': (
        ('basic', 37, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 37, None, 'map', 'scheduling_v1beta1.GangSchedulingPolicy'),
    ),
    'PodGroupSpec': (
        ('disruptionMode', 37, None, 'map', 'scheduling_v1beta1.DisruptionMode'),
        ('parentCompositePodGroupName', 37, None, 'primitive', 'string'),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('resourceClaims', 37, None, 'list', 'scheduling_v1beta1.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1beta1.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1beta1.PodGroupSchedulingPolicy'),
        ('workloadRef', 37, None, 'map', 'scheduling_v1beta1.WorkloadReference'),
    ),
    'PodGroupStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('resourceClaimStatuses', 37, None, 'list', 'scheduling_v1beta1.PodGroupResourceClaimStatus', 'merge,retainKeys', 'name', 'map', ('name',)),
    ),
    'PodGroupTemplate': (
        ('disruptionMode', 37, None, 'map', 'scheduling_v1beta1.DisruptionMode'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('preemptionPolicy', 37, None, 'primitive', 'string'),
        ('priority', 37, None, 'primitive', 'integer'),
        ('priorityClassName', 37, None, 'primitive', 'string'),
        ('resourceClaims', 37, None, 'list', 'scheduling_v1beta1.PodGroupResourceClaim', 'merge,retainKeys', 'name', 'map', ('name',)),
        ('schedulingConstraints', 37, None, 'map', 'scheduling_v1beta1.PodGroupSchedulingConstraints'),
        ('schedulingPolicy', 37, None, 'map', 'scheduling_v1beta1.PodGroupSchedulingPolicy'),
    ),
    'PriorityClass': (
        ('apiVersion', 11, 21, 'primitive', 'string'),
        ('description', 11, 21, 'primitive', 'string'),
        ('globalDefault', 11, 21, 'primitive', 'boolean'),
        ('kind', 11, 21, 'primitive', 'string'),
        ('metadata', 11, 21, 'map', 'meta_v1.ObjectMeta'),
        ('preemptionPolicy', 15, 21, 'primitive', 'string'),
        ('value', 11, 21, 'primitive', 'integer'),
    ),
    'PriorityClassList': (
        ('apiVersion', 11, 21, 'primitive', 'string'),
        ('items', 11, 21, 'list', 'scheduling_v1beta1.PriorityClass', None, None, 'atomic', None, 1),
        ('kind', 11, 21, 'primitive', 'string'),
        ('metadata', 11, 21, 'map', 'meta_v1.ListMeta'),
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
        ('spec', 37, None, 'map', 'scheduling_v1beta1.WorkloadSpec'),
    ),
    'WorkloadList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'scheduling_v1beta1.Workload', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'WorkloadReference': (
        ('templateName', 37, None, 'primitive', 'string'),
        ('workloadName', 37, None, 'primitive', 'string'),
    ),
    'WorkloadSpec': (
        ('compositePodGroupTemplates', 37, None, 'list', 'scheduling_v1beta1.CompositePodGroupTemplate', None, None, 'map', ('name',)),
        ('controllerRef', 37, None, 'map', 'scheduling_v1beta1.TypedLocalObjectReference'),
        ('podGroupTemplates', 37, None, 'list', 'scheduling_v1beta1.PodGroupTemplate', None, None, 'map', ('name',)),
    ),
}
