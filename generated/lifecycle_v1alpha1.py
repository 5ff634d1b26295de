"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Eviction': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'lifecycle_v1alpha1.EvictionSpec'),
        ('status', 37, None, 'map', 'lifecycle_v1alpha1.EvictionStatus'),
    ),
    'EvictionList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'lifecycle_v1alpha1.Eviction', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'EvictionPodReference': (
        ('name', 37, None, 'primitive', 'string'),
        ('uid', 37, None, 'primitive', 'string'),
    ),
    'EvictionRequest': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'lifecycle_v1alpha1.EvictionRequestSpec'),
        ('status', 37, None, 'map', 'lifecycle_v1alpha1.EvictionRequestStatus'),
    ),
    'EvictionRequestList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'lifecycle_v1alpha1.EvictionRequest', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'EvictionRequestPodReference': (
        ('name', 37, None, 'primitive', 'string'),
        ('uid', 37, None, 'primitive', 'string'),
    ),
    'EvictionRequestSpec': (
        ('intent', 37, None, 'primitive', 'string'),
        ('requester', 37, None, 'primitive', 'string'),
        ('target', 37, None, 'map', 'lifecycle_v1alpha1.EvictionRequestTarget'),
    ),
    'EvictionRequestStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('observedGeneration', 37, None, 'primitive', 'integer'),
    ),
    'EvictionRequestTarget': (
        ('pod', 37, None, 'map', 'lifecycle_v1alpha1.EvictionRequestPodReference'),
    ),
    'EvictionSpec': (
        ('target', 37, None, 'map', 'lifecycle_v1alpha1.EvictionTarget'),
    ),
    'EvictionStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('observedGeneration', 37, None, 'primitive', 'integer'),
        ('requesters', 37, None, 'list', 'lifecycle_v1alpha1.Requester', 'merge', 'name', 'map', ('name',), None, 'atomic'),
        ('responders', 37, None, 'list', 'lifecycle_v1alpha1.ResponderStatus', 'merge', 'name', 'map', ('name',), None, 'granular'),
        ('targetResponders', 37, None, 'list', 'lifecycle_v1alpha1.TargetResponder', 'merge', 'name', 'map', ('name',), None, 'atomic'),
    ),
    'EvictionTarget': (
        ('pod', 37, None, 'map', 'lifecycle_v1alpha1.EvictionPodReference'),
    ),
    'Requester': (
        ('', 37, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('intent', 37, None, 'primitive', 'string'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'ResponderStatus': (
        ('', 37, None, 'map', None, None, None, None, None, None, 'granular'),
        ('completionTime', 37, None, 'primitive', 'string'),
        ('expectedCompletionTime', 37, None, 'primitive', 'string'),
        ('heartbeatTime', 37, None, 'primitive', 'string'),
        ('message', 37, None, 'primitive', 'string'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('startTime', 37, None, 'primitive', 'string'),
    ),
    'TargetResponder': (
        ('', 37, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('name', 37, None, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('priority', 37, None, 'primitive', 'integer'),
        ('state', 37, None, 'primitive', 'string'),
    ),
}
