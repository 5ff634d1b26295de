"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CSIStorageCapacity': (
        ('apiVersion', 21, 23, 'primitive', 'string'),
        ('capacity', 21, 23, 'primitive', 'quantity'),
        ('kind', 21, 23, 'primitive', 'string'),
        ('maximumVolumeSize', 21, 23, 'primitive', 'quantity'),
        ('metadata', 21, 23, 'map', 'meta_v1.ObjectMeta'),
        ('nodeTopology', 21, 23, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('storageClassName', 21, 23, 'primitive', 'string'),
    ),
    'CSIStorageCapacityList': (
        ('apiVersion', 21, 23, 'primitive', 'string'),
        ('items', 21, 23, 'list', 'storage_v1alpha1.CSIStorageCapacity', None, None, 'map', ('name',)),
        ('kind', 21, 23, 'primitive', 'string'),
        ('metadata', 21, 23, 'map', 'meta_v1.ListMeta'),
    ),
    'VolumeAttachment': (
        ('apiVersion', 9, 22, 'primitive', 'string'),
        ('kind', 9, 22, 'primitive', 'string'),
        ('metadata', 9, 22, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 9, 22, 'map', 'storage_v1alpha1.VolumeAttachmentSpec'),
        ('status', 9, 22, 'map', 'storage_v1alpha1.VolumeAttachmentStatus'),
    ),
    'VolumeAttachmentList': (
        ('apiVersion', 9, 22, 'primitive', 'string'),
        ('items', 9, 22, 'list', 'storage_v1alpha1.VolumeAttachment', None, None, 'atomic', None, 1),
        ('kind', 9, 22, 'primitive', 'string'),
        ('metadata', 9, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'VolumeAttachmentSource': (
        ('inlineVolumeSpec', 15, 22, 'map', 'core_v1.PersistentVolumeSpec'),
        ('persistentVolumeName', 9, 22, 'primitive', 'string'),
    ),
    'VolumeAttachmentSpec': (
        ('attacher', 9, 22, 'primitive', 'string'),
        ('nodeName', 9, 22, 'primitive', 'string'),
        ('source', 9, 22, 'map', 'storage_v1alpha1.VolumeAttachmentSource'),
    ),
    'VolumeAttachmentStatus': (
        ('attachError', 9, 22, 'map', 'storage_v1alpha1.VolumeError'),
        ('attached', 9, 22, 'primitive', 'boolean'),
        ('attachmentMetadata', 9, 22, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('detachError', 9, 22, 'map', 'storage_v1alpha1.VolumeError'),
    ),
    'VolumeAttributesClass': (
        ('apiVersion', 29, 34, 'primitive', 'string'),
        ('driverName', 29, 34, 'primitive', 'string'),
        ('kind', 29, 34, 'primitive', 'string'),
        ('metadata', 29, 34, 'map', 'meta_v1.ObjectMeta'),
        ('parameters', 29, 34, 'map', 'string', None, None, None, None, None, None, None, 1),
    ),
    'VolumeAttributesClassList': (
        ('apiVersion', 29, 34, 'primitive', 'string'),
        ('items', 29, 34, 'list', 'storage_v1alpha1.VolumeAttributesClass', None, None, 'atomic', None, 1),
        ('kind', 29, 34, 'primitive', 'string'),
        ('metadata', 29, 34, 'map', 'meta_v1.ListMeta'),
    ),
    'VolumeError': (
        ('message', 9, 22, 'primitive', 'string'),
        ('time', 9, 22, 'primitive', 'string'),
    ),
}
