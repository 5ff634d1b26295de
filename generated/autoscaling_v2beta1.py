"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ContainerResourceMetricSource': (
        ('container', 20, 24, 'primitive', 'string'),
        ('name', 20, 24, 'primitive', 'string'),
        ('targetAverageUtilization', 20, 24, 'primitive', 'integer'),
        ('targetAverageValue', 20, 24, 'primitive', 'quantity'),
    ),
    'ContainerResourceMetricStatus': (
        ('container', 20, 24, 'primitive', 'string'),
        ('currentAverageUtilization', 20, 24, 'primitive', 'integer'),
        ('currentAverageValue', 20, 24, 'primitive', 'quantity'),
        ('name', 20, 24, 'primitive', 'string'),
    ),
    'CrossVersionObjectReference': (
        ('apiVersion', 8, 24, 'primitive', 'string'),
        ('kind', 8, 24, 'primitive', 'string'),
        ('name', 8, 24, 'primitive', 'string'),
    ),
    'ExternalMetricSource': (
        ('metricName', 10, 24, 'primitive', 'string'),
        ('metricSelector', 10, 24, 'map', 'meta_v1.LabelSelector'),
        ('targetAverageValue', 10, 24, 'primitive', 'quantity'),
        ('targetValue', 10, 24, 'primitive', 'quantity'),
    ),
    'ExternalMetricStatus': (
        ('currentAverageValue', 10, 24, 'primitive', 'quantity'),
        ('currentValue', 10, 24, 'primitive', 'quantity'),
        ('metricName', 10, 24, 'primitive', 'string'),
        ('metricSelector', 10, 24, 'map', 'meta_v1.LabelSelector'),
    ),
    'HorizontalPodAutoscaler': (
        ('apiVersion', 8, 24, 'primitive', 'string'),
        ('kind', 8, 24, 'primitive', 'string'),
        ('metadata', 8, 24, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 8, 24, 'map', 'autoscaling_v2beta1.HorizontalPodAutoscalerSpec'),
        ('status', 8, 24, 'map', 'autoscaling_v2beta1.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerCondition': (
        ('lastTransitionTime', 8, 24, 'primitive', 'string'),
        ('message', 8, 24, 'primitive', 'string'),
        ('reason', 8, 24, 'primitive', 'string'),
        ('status', 8, 24, 'primitive', 'string'),
        ('type', 8, 24, 'primitive', 'string'),
    ),
    'HorizontalPodAutoscalerList': (
        ('apiVersion', 8, 24, 'primitive', 'string'),
        ('items', 8, 24, 'list', 'autoscaling_v2beta1.HorizontalPodAutoscaler', None, None, 'atomic', None, 1),
        ('kind', 8, 24, 'primitive', 'string'),
        ('metadata', 8, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('maxReplicas', 8, 24, 'primitive', 'integer'),
        ('metrics', 8, 24, 'list', 'autoscaling_v2beta1.MetricSpec', None, None, 'atomic', None, 1),
        ('minReplicas', 8, 24, 'primitive', 'integer'),
        ('scaleTargetRef', 8, 24, 'map', 'autoscaling_v2beta1.CrossVersionObjectReference'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('conditions', 8, 24, 'list', 'autoscaling_v2beta1.HorizontalPodAutoscalerCondition', None, None, 'atomic', None, 1),
        ('currentMetrics', 8, 24, 'list', 'autoscaling_v2beta1.MetricStatus', None, None, 'atomic', None, 1),
        ('currentReplicas', 8, 24, 'primitive', 'integer'),
        ('desiredReplicas', 8, 24, 'primitive', 'integer'),
        ('lastScaleTime', 8, 24, 'primitive', 'string'),
        ('observedGeneration', 8, 24, 'primitive', 'integer'),
    ),
    'MetricSpec': (
        ('containerResource', 20, 24, 'map', 'autoscaling_v2beta1.ContainerResourceMetricSource'),
        ('external', 10, 24, 'map', 'autoscaling_v2beta1.ExternalMetricSource'),
        ('object', 8, 24, 'map', 'autoscaling_v2beta1.ObjectMetricSource'),
        ('pods', 8, 24, 'map', 'autoscaling_v2beta1.PodsMetricSource'),
        ('resource', 8, 24, 'map', 'autoscaling_v2beta1.ResourceMetricSource'),
        ('type', 8, 24, 'primitive', 'string'),
    ),
    'MetricStatus': (
        ('containerResource', 20, 24, 'map', 'autoscaling_v2beta1.ContainerResourceMetricStatus'),
        ('external', 10, 24, 'map', 'autoscaling_v2beta1.ExternalMetricStatus'),
        ('object', 8, 24, 'map', 'autoscaling_v2beta1.ObjectMetricStatus'),
        ('pods', 8, 24, 'map', 'autoscaling_v2beta1.PodsMetricStatus'),
        ('resource', 8, 24, 'map', 'autoscaling_v2beta1.ResourceMetricStatus'),
        ('type', 8, 24, 'primitive', 'string'),
    ),
    'ObjectMetricSource': (
        ('averageValue', 12, 24, 'primitive', 'quantity'),
        ('metricName', 8, 24, 'primitive', 'string'),
        ('selector', 12, 24, 'map', 'meta_v1.LabelSelector'),
        ('target', 8, 24, 'map', 'autoscaling_v2beta1.CrossVersionObjectReference'),
        ('targetValue', 8, 24, 'primitive', 'quantity'),
    ),
    'ObjectMetricStatus': (
        ('averageValue', 12, 24, 'primitive', 'quantity'),
        ('currentValue', 8, 24, 'primitive', 'quantity'),
        ('metricName', 8, 24, 'primitive', 'string'),
        ('selector', 12, 24, 'map', 'meta_v1.LabelSelector'),
        ('target', 8, 24, 'map', 'autoscaling_v2beta1.CrossVersionObjectReference'),
    ),
    'PodsMetricSource': (
        ('metricName', 8, 24, 'primitive', 'string'),
        ('selector', 12, 24, 'map', 'meta_v1.LabelSelector'),
        ('targetAverageValue', 8, 24, 'primitive', 'quantity'),
    ),
    'PodsMetricStatus': (
        ('currentAverageValue', 8, 24, 'primitive', 'quantity'),
        ('metricName', 8, 24, 'primitive', 'string'),
        ('selector', 12, 24, 'map', 'meta_v1.LabelSelector'),
    ),
    'ResourceMetricSource': (
        ('name', 8, 24, 'primitive', 'string'),
        ('targetAverageUtilization', 8, 24, 'primitive', 'integer'),
        ('targetAverageValue', 8, 24, 'primitive', 'quantity'),
    ),
    'ResourceMetricStatus': (
        ('currentAverageUtilization', 8, 24, 'primitive', 'integer'),
        ('currentAverageValue', 8, 24, 'primitive', 'quantity'),
        ('name', 8, 24, 'primitive', 'string'),
    ),
}
