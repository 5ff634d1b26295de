"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'PodPreset': (
        ('apiVersion', 7, 19, 'primitive', 'string'),
        ('kind', 7, 19, 'primitive', 'string'),
        ('metadata', 7, 19, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 19, 'map', 'settings_v1alpha1.PodPresetSpec'),
    ),
    'PodPresetList': (
        ('apiVersion', 7, 19, 'primitive', 'string'),
        ('items', 7, 19, 'list', 'settings_v1alpha1.PodPreset', None, None, 'atomic', None, 1),
        ('kind', 7, 19, 'primitive', 'string'),
        ('metadata', 7, 19, 'map', 'meta_v1.ListMeta'),
    ),
    'PodPresetSpec': (
        ('env', 7, 19, 'list', 'core_v1.EnvVar', None, None, 'atomic', None, 1),
        ('envFrom', 7, 19, 'list', 'core_v1.EnvFromSource', None, None, 'atomic', None, 1),
        ('selector', 7, 19, 'map', 'meta_v1.LabelSelector'),
        ('volumeMounts', 7, 19, 'list', 'core_v1.VolumeMount', None, None, 'atomic', None, 1),
        ('volumes', 7, 19, 'list', 'core_v1.Volume', None, None, 'atomic', None, 1),
    ),
}
