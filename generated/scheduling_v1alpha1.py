"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'BasicSchedulingPolicy': (
        ('', 35, 35, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'GangSchedulingPolicy': (
        ('minCount', 35, 35, 'primitive', 'integer'),
    ),
    'PodGroup': (
        ('name', 35, 35, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('policy', 35, 35, 'map', 'scheduling_v1alpha1.PodGroupPolicy'),
    ),
    'PodGroupPolicy': (
        ('basic', 35, 35, 'map', None, None, None, None, None, None, None, None, 1),
        ('gang', 35, 35, 'map', 'scheduling_v1alpha1.GangSchedulingPolicy'),
    ),
    'PriorityClass': (
        ('apiVersion', 8, 22, 'primitive', 'string'),
        ('description', 8, 22, 'primitive', 'string'),
        ('globalDefault', 8, 22, 'primitive', 'boolean'),
        ('kind', 8, 22, 'primitive', 'string'),
        ('metadata', 8, 22, 'map', 'meta_v1.ObjectMeta'),
        ('preemptionPolicy', 15, 22, 'primitive', 'string'),
        ('value', 8, 22, 'primitive', 'integer'),
    ),
    'PriorityClassList': (
        ('apiVersion', 8, 22, 'primitive', 'string'),
        ('items', 8, 22, 'list', 'scheduling_v1alpha1.PriorityClass', None, None, 'atomic', None, 1),
        ('kind', 8, 22, 'primitive', 'string'),
        ('metadata', 8, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'TypedLocalObjectReference': (
        ('apiGroup', 35, 35, 'primitive', 'string'),
        ('kind', 35, 35, 'primitive', 'string'),
        ('name', 35, 35, 'primitive', 'string'),
    ),
    'Workload': (
        ('apiVersion', 35, 35, 'primitive', 'string'),
        ('kind', 35, 35, 'primitive', 'string'),
        ('metadata', 35, 35, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 35, 35, 'map', 'scheduling_v1alpha1.WorkloadSpec'),
    ),
    'WorkloadList': (
        ('apiVersion', 35, 35, 'primitive', 'string'),
        ('items', 35, 35, 'list', 'scheduling_v1alpha1.Workload', None, None, 'atomic', None, 1),
        ('kind', 35, 35, 'primitive', 'string'),
        ('metadata', 35, 35, 'map', 'meta_v1.ListMeta'),
    ),
    'WorkloadSpec': (
        ('controllerRef', 35, 35, 'map', 'scheduling_v1alpha1.TypedLocalObjectReference'),
        ('podGroups', 35, 35, 'list', 'scheduling_v1alpha1.PodGroup', None, None, 'map', ('name',)),
    ),
}
