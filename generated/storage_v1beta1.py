"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CSIDriver': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 14, 21, 'map', 'storage_v1beta1.CSIDriverSpec'),
    ),
    'CSIDriverList': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('items', 14, 21, 'list', 'storage_v1beta1.CSIDriver', None, None, 'atomic', None, 1),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'CSIDriverSpec': (
        ('attachRequired', 14, 21, 'primitive', 'boolean'),
        ('fsGroupPolicy', 19, 21, 'primitive', 'string'),
        ('podInfoOnMount', 14, 21, 'primitive', 'boolean'),
        ('requiresRepublish', 20, 21, 'primitive', 'boolean'),
        ('storageCapacity', 19, 21, 'primitive', 'boolean'),
        ('tokenRequests', 20, 21, 'list', 'storage_v1beta1.TokenRequest', None, None, 'atomic'),
        ('volumeLifecycleModes', 16, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'CSINode': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 14, 21, 'map', 'storage_v1beta1.CSINodeSpec'),
    ),
    'CSINodeDriver': (
        ('allocatable', 16, 21, 'map', 'storage_v1beta1.VolumeNodeResources'),
        ('name', 14, 21, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('nodeID', 14, 21, 'primitive', 'string'),
        ('topologyKeys', 14, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'CSINodeList': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('items', 14, 21, 'list', 'storage_v1beta1.CSINode', None, None, 'atomic', None, 1),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'CSINodeSpec': (
        ('drivers', 14, 21, 'list', 'storage_v1beta1.CSINodeDriver', 'merge', 'name', 'map', ('name',), 1),
    ),
    'CSIStorageCapacity': (
        ('apiVersion', 21, 26, 'primitive', 'string'),
        ('capacity', 21, 26, 'primitive', 'quantity'),
        ('kind', 21, 26, 'primitive', 'string'),
        ('maximumVolumeSize', 21, 26, 'primitive', 'quantity'),
        ('metadata', 21, 26, 'map', 'meta_v1.ObjectMeta'),
        ('nodeTopology', 21, 26, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('storageClassName', 21, 26, 'primitive', 'string'),
    ),
    'CSIStorageCapacityList': (
        ('apiVersion', 21, 26, 'primitive', 'string'),
        ('items', 21, 26, 'list', 'storage_v1beta1.CSIStorageCapacity', None, None, 'map', ('name',)),
        ('kind', 21, 26, 'primitive', 'string'),
        ('metadata', 21, 26, 'map', 'meta_v1.ListMeta'),
    ),
    'StorageClass': (
        ('allowVolumeExpansion', 8, 21, 'primitive', 'boolean'),
        ('allowedTopologies', 11, 21, 'list', 'core_v1.TopologySelectorTerm', None, None, 'atomic', None, 1),
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('mountOptions', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('parameters', 7, 21, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('provisioner', 7, 21, 'primitive', 'string'),
        ('reclaimPolicy', 8, 21, 'primitive', 'string'),
        ('volumeBindingMode', 9, 21, 'primitive', 'string'),
    ),
    'StorageClassList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'storage_v1beta1.StorageClass', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'TokenRequest': (
        ('audience', 20, 21, 'primitive', 'string'),
        ('expirationSeconds', 20, 21, 'primitive', 'integer'),
    ),
    'VolumeAttachment': (
        ('apiVersion', 10, 21, 'primitive', 'string'),
        ('kind', 10, 21, 'primitive', 'string'),
        ('metadata', 10, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 10, 21, 'map', 'storage_v1beta1.VolumeAttachmentSpec'),
        ('status', 10, 21, 'map', 'storage_v1beta1.VolumeAttachmentStatus'),
    ),
    'VolumeAttachmentList': (
        ('apiVersion', 10, 21, 'primitive', 'string'),
        ('items', 10, 21, 'list', 'storage_v1beta1.VolumeAttachment', None, None, 'atomic', None, 1),
        ('kind', 10, 21, 'primitive', 'string'),
        ('metadata', 10, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'VolumeAttachmentSource': (
        ('inlineVolumeSpec', 15, 21, 'map', 'core_v1.PersistentVolumeSpec'),
        ('persistentVolumeName', 10, 21, 'primitive', 'string'),
    ),
    'VolumeAttachmentSpec': (
        ('attacher', 10, 21, 'primitive', 'string'),
        ('nodeName', 10, 21, 'primitive', 'string'),
        ('source', 10, 21, 'map', 'storage_v1beta1.VolumeAttachmentSource'),
    ),
    'VolumeAttachmentStatus': (
        ('attachError', 10, 21, 'map', 'storage_v1beta1.VolumeError'),
        ('attached', 10, 21, 'primitive', 'boolean'),
        ('attachmentMetadata', 10, 21, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('detachError', 10, 21, 'map', 'storage_v1beta1.VolumeError'),
    ),
    'VolumeAttributesClass': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('driverName', 31, 36, 'primitive', 'string'),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ObjectMeta'),
        ('parameters', 31, 36, 'map', 'string', None, None, None, None, None, None, None, 1),
    ),
    'VolumeAttributesClassList': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('items', 31, 36, 'list', 'storage_v1beta1.VolumeAttributesClass', None, None, 'atomic', None, 1),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'VolumeError': (
        ('message', 10, 21, 'primitive', 'string'),
        ('time', 10, 21, 'primitive', 'string'),
    ),
    'VolumeNodeResources': (
        ('count', 16, 21, 'primitive', 'integer'),
    ),
}
