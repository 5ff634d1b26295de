"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'CSIDriver': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'storage_v1.CSIDriverSpec'),
    ),
    'CSIDriverSpec': (
        ('volumeLifecycleModes', 37, None, None, 'type', '[]~string'),
        ('volumeLifecycleModes', 37, None, None, 'optional'),
        ('volumeLifecycleModes', 37, None, None, 'immutable'),
    ),
    'CSINode': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'CSIStorageCapacity': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'StorageClass': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('provisioner', 35, None, None, 'type', 'string'),
        ('provisioner', 35, None, 37, 'required'),
        ('provisioner', 36, None, 37, 'immutable'),
        ('parameters', 36, None, None, 'type', 'map[string]string'),
        ('parameters', 36, None, 37, 'immutable'),
        ('parameters', 36, None, 37, 'optional'),
        ('reclaimPolicy', 36, None, None, 'type', '*~string'),
        ('reclaimPolicy', 36, None, 37, 'immutable'),
        ('reclaimPolicy', 36, None, 37, 'optional'),
        ('volumeBindingMode', 36, None, None, 'type', '*~string'),
        ('volumeBindingMode', 36, None, 37, 'immutable'),
        ('volumeBindingMode', 36, None, 37, 'optional'),
    ),
    'VolumeAttachment': (
        ('', 36, None, 36, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'storage_v1.VolumeAttachmentSpec'),
        ('spec', 36, None, 37, 'immutable'),
    ),
    'VolumeAttachmentSpec': (
        ('attacher', 36, None, None, 'type', 'string'),
        ('attacher', 36, None, 37, 'required'),
        ('attacher', 36, None, 37, 'format', 'k8s-long-name-caseless'),
        ('attacher', 36, None, 37, 'maxLength', 63),
    ),
    'VolumeAttributesClass': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
}
