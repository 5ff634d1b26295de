"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Eviction': (
        ('apiVersion', 22, None, 'primitive', 'string'),
        ('deleteOptions', 22, None, 'map', 'meta_v1.DeleteOptions'),
        ('kind', 22, None, 'primitive', 'string'),
        ('metadata', 22, None, 'map', 'meta_v1.ObjectMeta'),
    ),
    'PodDisruptionBudget': (
        ('apiVersion', 21, None, 'primitive', 'string'),
        ('kind', 21, None, 'primitive', 'string'),
        ('metadata', 21, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 21, None, 'map', 'policy_v1.PodDisruptionBudgetSpec'),
        ('status', 21, None, 'map', 'policy_v1.PodDisruptionBudgetStatus'),
    ),
    'PodDisruptionBudgetList': (
        ('apiVersion', 21, None, 'primitive', 'string'),
        ('items', 21, None, 'list', 'policy_v1.PodDisruptionBudget', None, None, 'atomic', None, 1),
        ('kind', 21, None, 'primitive', 'string'),
        ('metadata', 21, None, 'map', 'meta_v1.ListMeta'),
    ),
    'PodDisruptionBudgetSpec': (
        ('maxUnavailable', 21, None, 'primitive', 'int-or-string'),
        ('minAvailable', 21, None, 'primitive', 'int-or-string'),
        ('selector', 21, None, 'map', 'meta_v1.LabelSelector', 'replace', None, None, None, None, 'atomic'),
        ('unhealthyPodEvictionPolicy', 26, None, 'primitive', 'string'),
    ),
    'PodDisruptionBudgetStatus': (
        ('conditions', 21, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('currentHealthy', 21, None, 'primitive', 'integer'),
        ('desiredHealthy', 21, None, 'primitive', 'integer'),
        ('disruptedPods', 21, None, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('disruptionsAllowed', 21, None, 'primitive', 'integer'),
        ('expectedPods', 21, None, 'primitive', 'integer'),
        ('observedGeneration', 21, None, 'primitive', 'integer'),
    ),
}
