"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AllocationResult': (
        ('availableOnNodes', 26, 26, 'map', 'core_v1.NodeSelector', None, None, None, None, None, 'atomic'),
        ('resourceHandle', 26, 26, 'primitive', 'string'),
        ('shareable', 26, 26, 'primitive', 'boolean'),
    ),
    'PodScheduling': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 26, 'map', 'resource_v1alpha1.PodSchedulingSpec'),
        ('status', 26, 26, 'map', 'resource_v1alpha1.PodSchedulingStatus'),
    ),
    'PodSchedulingList': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('items', 26, 26, 'list', 'resource_v1alpha1.PodScheduling', None, None, 'atomic', None, 1),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ListMeta'),
    ),
    'PodSchedulingSpec': (
        ('potentialNodes', 26, 26, 'list', 'string', None, None, 'set'),
        ('selectedNode', 26, 26, 'primitive', 'string'),
    ),
    'PodSchedulingStatus': (
        ('resourceClaims', 26, 26, 'list', 'resource_v1alpha1.ResourceClaimSchedulingStatus', None, None, 'map', ('name',)),
    ),
    'ResourceClaim': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 26, 'map', 'resource_v1alpha1.ResourceClaimSpec'),
        ('status', 26, 26, 'map', 'resource_v1alpha1.ResourceClaimStatus'),
    ),
    'ResourceClaimConsumerReference': (
        ('apiGroup', 26, 26, 'primitive', 'string'),
        ('name', 26, 26, 'primitive', 'string'),
        ('resource', 26, 26, 'primitive', 'string'),
        ('uid', 26, 26, 'primitive', 'string'),
    ),
    'ResourceClaimList': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('items', 26, 26, 'list', 'resource_v1alpha1.ResourceClaim', None, None, 'atomic', None, 1),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClaimParametersReference': (
        ('apiGroup', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('name', 26, 26, 'primitive', 'string'),
    ),
    'ResourceClaimSchedulingStatus': (
        ('name', 26, 26, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('unsuitableNodes', 26, 26, 'list', 'string', None, None, 'set'),
    ),
    'ResourceClaimSpec': (
        ('allocationMode', 26, 26, 'primitive', 'string'),
        ('parametersRef', 26, 26, 'map', 'resource_v1alpha1.ResourceClaimParametersReference'),
        ('resourceClassName', 26, 26, 'primitive', 'string'),
    ),
    'ResourceClaimStatus': (
        ('allocation', 26, 26, 'map', 'resource_v1alpha1.AllocationResult'),
        ('deallocationRequested', 26, 26, 'primitive', 'boolean'),
        ('driverName', 26, 26, 'primitive', 'string'),
        ('reservedFor', 26, 26, 'list', 'resource_v1alpha1.ResourceClaimConsumerReference', None, None, 'set'),
    ),
    'ResourceClaimTemplate': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 26, 'map', 'resource_v1alpha1.ResourceClaimTemplateSpec'),
    ),
    'ResourceClaimTemplateList': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('items', 26, 26, 'list', 'resource_v1alpha1.ResourceClaimTemplate', None, None, 'atomic', None, 1),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClaimTemplateSpec': (
        ('metadata', 26, 26, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 26, 'map', 'resource_v1alpha1.ResourceClaimSpec'),
    ),
    'ResourceClass': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('driverName', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ObjectMeta'),
        ('parametersRef', 26, 26, 'map', 'resource_v1alpha1.ResourceClassParametersReference'),
        ('suitableNodes', 26, 26, 'map', 'core_v1.NodeSelector', None, None, None, None, None, 'atomic'),
    ),
    'ResourceClassList': (
        ('apiVersion', 26, 26, 'primitive', 'string'),
        ('items', 26, 26, 'list', 'resource_v1alpha1.ResourceClass', None, None, 'atomic', None, 1),
        ('kind', 26, 26, 'primitive', 'string'),
        ('metadata', 26, 26, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClassParametersReference': (
        ('apiGroup', 26, 26, 'primitive', 'string'),
        ('kind', 26, 26, 'primitive', 'string'),
        ('name', 26, 26, 'primitive', 'string'),
        ('namespace', 26, 26, 'primitive', 'string'),
    ),
}
