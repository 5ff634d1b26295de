"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AllocationResult': (
        ('availableOnNodes', 27, 30, 'map', 'core_v1.NodeSelector', None, None, None, None, None, 'atomic'),
        ('resourceHandles', 27, 30, 'list', 'resource_v1alpha2.ResourceHandle', None, None, 'atomic'),
        ('shareable', 27, 30, 'primitive', 'boolean'),
    ),
    'DriverAllocationResult': (
        ('namedResources', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesAllocationResult'),
        ('vendorRequestParameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
    ),
    'DriverRequests': (
        ('driverName', 30, 30, 'primitive', 'string'),
        ('requests', 30, 30, 'list', 'resource_v1alpha2.ResourceRequest', None, None, 'atomic'),
        ('vendorParameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
    ),
    'NamedResourcesAllocationResult': (
        ('name', 30, 30, 'primitive', 'string'),
    ),
    'NamedResourcesAttribute': (
        ('bool', 30, 30, 'primitive', 'boolean'),
        ('int', 30, 30, 'primitive', 'integer'),
        ('intSlice', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesIntSlice'),
        ('name', 30, 30, 'primitive', 'string'),
        ('quantity', 30, 30, 'primitive', 'quantity'),
        ('string', 30, 30, 'primitive', 'string'),
        ('stringSlice', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesStringSlice'),
        ('version', 30, 30, 'primitive', 'string'),
    ),
    'NamedResourcesFilter': (
        ('selector', 30, 30, 'primitive', 'string'),
    ),
    'NamedResourcesInstance': (
        ('attributes', 30, 30, 'list', 'resource_v1alpha2.NamedResourcesAttribute', None, None, 'atomic'),
        ('name', 30, 30, 'primitive', 'string'),
    ),
    'NamedResourcesIntSlice': (
        ('ints', 30, 30, 'list', 'integer', None, None, 'atomic'),
    ),
    'NamedResourcesRequest': (
        ('selector', 30, 30, 'primitive', 'string'),
    ),
    'NamedResourcesResources': (
        ('instances', 30, 30, 'list', 'resource_v1alpha2.NamedResourcesInstance', None, None, 'atomic'),
    ),
    'NamedResourcesStringSlice': (
        ('strings', 30, 30, 'list', 'string', None, None, 'atomic'),
    ),
    'PodSchedulingContext': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 30, 'map', 'resource_v1alpha2.PodSchedulingContextSpec'),
        ('status', 27, 30, 'map', 'resource_v1alpha2.PodSchedulingContextStatus'),
    ),
    'PodSchedulingContextList': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('items', 27, 30, 'list', 'resource_v1alpha2.PodSchedulingContext', None, None, 'atomic', None, 1),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'PodSchedulingContextSpec': (
        ('potentialNodes', 27, 28, 'list', 'string', None, None, 'set'),
        ('potentialNodes', 29, 30, 'list', 'string', None, None, 'atomic'),
        ('selectedNode', 27, 30, 'primitive', 'string'),
    ),
    'PodSchedulingContextStatus': (
        ('resourceClaims', 27, 30, 'list', 'resource_v1alpha2.ResourceClaimSchedulingStatus', None, None, 'map', ('name',)),
    ),
    'ResourceClaim': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 30, 'map', 'resource_v1alpha2.ResourceClaimSpec'),
        ('status', 27, 30, 'map', 'resource_v1alpha2.ResourceClaimStatus'),
    ),
    'ResourceClaimConsumerReference': (
        ('apiGroup', 27, 30, 'primitive', 'string'),
        ('name', 27, 30, 'primitive', 'string'),
        ('resource', 27, 30, 'primitive', 'string'),
        ('uid', 27, 30, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'ResourceClaimList': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('items', 27, 30, 'list', 'resource_v1alpha2.ResourceClaim', None, None, 'atomic', None, 1),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClaimParameters': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('driverRequests', 30, 30, 'list', 'resource_v1alpha2.DriverRequests', None, None, 'atomic'),
        ('generatedFrom', 30, 30, 'map', 'resource_v1alpha2.ResourceClaimParametersReference'),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ObjectMeta'),
        ('shareable', 30, 30, 'primitive', 'boolean'),
    ),
    'ResourceClaimParametersList': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('items', 30, 30, 'list', 'resource_v1alpha2.ResourceClaimParameters', None, None, 'atomic', None, 1),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClaimParametersReference': (
        ('apiGroup', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('name', 27, 30, 'primitive', 'string'),
    ),
    'ResourceClaimSchedulingStatus': (
        ('name', 27, 30, 'primitive', 'string'),
        ('unsuitableNodes', 27, 28, 'list', 'string', None, None, 'set'),
        ('unsuitableNodes', 29, 30, 'list', 'string', None, None, 'atomic'),
    ),
    'ResourceClaimSpec': (
        ('allocationMode', 27, 30, 'primitive', 'string'),
        ('parametersRef', 27, 30, 'map', 'resource_v1alpha2.ResourceClaimParametersReference'),
        ('resourceClassName', 27, 30, 'primitive', 'string'),
    ),
    'ResourceClaimStatus': (
        ('allocation', 27, 30, 'map', 'resource_v1alpha2.AllocationResult'),
        ('deallocationRequested', 27, 30, 'primitive', 'boolean'),
        ('driverName', 27, 30, 'primitive', 'string'),
        ('reservedFor', 27, 29, 'list', 'resource_v1alpha2.ResourceClaimConsumerReference', None, None, 'map', ('uid',)),
        ('reservedFor', 30, 30, 'list', 'resource_v1alpha2.ResourceClaimConsumerReference', 'merge', 'uid', 'map', ('uid',)),
    ),
    'ResourceClaimTemplate': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 30, 'map', 'resource_v1alpha2.ResourceClaimTemplateSpec'),
    ),
    'ResourceClaimTemplateList': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('items', 27, 30, 'list', 'resource_v1alpha2.ResourceClaimTemplate', None, None, 'atomic', None, 1),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClaimTemplateSpec': (
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 30, 'map', 'resource_v1alpha2.ResourceClaimSpec'),
    ),
    'ResourceClass': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('driverName', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('parametersRef', 27, 30, 'map', 'resource_v1alpha2.ResourceClassParametersReference'),
        ('structuredParameters', 30, 30, 'primitive', 'boolean'),
        ('suitableNodes', 27, 30, 'map', 'core_v1.NodeSelector', None, None, None, None, None, 'atomic'),
    ),
    'ResourceClassList': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('items', 27, 30, 'list', 'resource_v1alpha2.ResourceClass', None, None, 'atomic', None, 1),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClassParameters': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('filters', 30, 30, 'list', 'resource_v1alpha2.ResourceFilter', None, None, 'atomic'),
        ('generatedFrom', 30, 30, 'map', 'resource_v1alpha2.ResourceClassParametersReference'),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ObjectMeta'),
        ('vendorParameters', 30, 30, 'list', 'resource_v1alpha2.VendorParameters', None, None, 'atomic'),
    ),
    'ResourceClassParametersList': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('items', 30, 30, 'list', 'resource_v1alpha2.ResourceClassParameters', None, None, 'atomic', None, 1),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ResourceClassParametersReference': (
        ('apiGroup', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('name', 27, 30, 'primitive', 'string'),
        ('namespace', 27, 30, 'primitive', 'string'),
    ),
    'ResourceFilter': (
        ('driverName', 30, 30, 'primitive', 'string'),
        ('namedResources', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesFilter'),
    ),
    'ResourceHandle': (
        ('data', 27, 30, 'primitive', 'string'),
        ('driverName', 27, 30, 'primitive', 'string'),
        ('structuredData', 30, 30, 'map', 'resource_v1alpha2.StructuredResourceHandle'),
    ),
    'ResourceRequest': (
        ('namedResources', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesRequest'),
        ('vendorParameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
    ),
    'ResourceSlice': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('driverName', 30, 30, 'primitive', 'string'),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ObjectMeta'),
        ('namedResources', 30, 30, 'map', 'resource_v1alpha2.NamedResourcesResources'),
        ('nodeName', 30, 30, 'primitive', 'string'),
    ),
    'ResourceSliceList': (
        ('apiVersion', 30, 30, 'primitive', 'string'),
        ('items', 30, 30, 'list', 'resource_v1alpha2.ResourceSlice', None, None, 'atomic', None, 1),
        ('kind', 30, 30, 'primitive', 'string'),
        ('metadata', 30, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'StructuredResourceHandle': (
        ('nodeName', 30, 30, 'primitive', 'string'),
        ('results', 30, 30, 'list', 'resource_v1alpha2.DriverAllocationResult', None, None, 'atomic'),
        ('vendorClaimParameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
        ('vendorClassParameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
    ),
    'VendorParameters': (
        ('driverName', 30, 30, 'primitive', 'string'),
        ('parameters', 30, 30, 'map', None, None, None, None, None, None, 'atomic', None, 1),
    ),
}
