"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ContainerResourceMetricSource': (
        ('container', 20, 25, 'primitive', 'string'),
        ('name', 20, 25, 'primitive', 'string'),
        ('target', 20, 25, 'map', 'autoscaling_v2beta2.MetricTarget'),
    ),
    'ContainerResourceMetricStatus': (
        ('container', 20, 25, 'primitive', 'string'),
        ('current', 20, 25, 'map', 'autoscaling_v2beta2.MetricValueStatus'),
        ('name', 20, 25, 'primitive', 'string'),
    ),
    'CrossVersionObjectReference': (
        ('apiVersion', 12, 25, 'primitive', 'string'),
        ('kind', 12, 25, 'primitive', 'string'),
        ('name', 12, 25, 'primitive', 'string'),
    ),
    'ExternalMetricSource': (
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
        ('target', 12, 25, 'map', 'autoscaling_v2beta2.MetricTarget'),
    ),
    'ExternalMetricStatus': (
        ('current', 12, 25, 'map', 'autoscaling_v2beta2.MetricValueStatus'),
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
    ),
    'HPAScalingPolicy': (
        ('periodSeconds', 18, 25, 'primitive', 'integer'),
        ('type', 18, 25, 'primitive', 'string'),
        ('value', 18, 25, 'primitive', 'integer'),
    ),
    'HPAScalingRules': (
        ('policies', 18, 25, 'list', 'autoscaling_v2beta2.HPAScalingPolicy', None, None, 'atomic', None, 1),
        ('selectPolicy', 18, 25, 'primitive', 'string'),
        ('stabilizationWindowSeconds', 18, 25, 'primitive', 'integer'),
    ),
    'HorizontalPodAutoscaler': (
        ('apiVersion', 12, 25, 'primitive', 'string'),
        ('kind', 12, 25, 'primitive', 'string'),
        ('metadata', 12, 25, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 12, 25, 'map', 'autoscaling_v2beta2.HorizontalPodAutoscalerSpec'),
        ('status', 12, 25, 'map', 'autoscaling_v2beta2.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerBehavior': (
        ('scaleDown', 18, 25, 'map', 'autoscaling_v2beta2.HPAScalingRules'),
        ('scaleUp', 18, 25, 'map', 'autoscaling_v2beta2.HPAScalingRules'),
    ),
    'HorizontalPodAutoscalerCondition': (
        ('lastTransitionTime', 12, 25, 'primitive', 'string'),
        ('message', 12, 25, 'primitive', 'string'),
        ('reason', 12, 25, 'primitive', 'string'),
        ('status', 12, 25, 'primitive', 'string'),
        ('type', 12, 25, 'primitive', 'string'),
    ),
    'HorizontalPodAutoscalerList': (
        ('apiVersion', 12, 25, 'primitive', 'string'),
        ('items', 12, 25, 'list', 'autoscaling_v2beta2.HorizontalPodAutoscaler', None, None, 'atomic', None, 1),
        ('kind', 12, 25, 'primitive', 'string'),
        ('metadata', 12, 25, 'map', 'meta_v1.ListMeta'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('behavior', 18, 25, 'map', 'autoscaling_v2beta2.HorizontalPodAutoscalerBehavior'),
        ('maxReplicas', 12, 25, 'primitive', 'integer'),
        ('metrics', 12, 25, 'list', 'autoscaling_v2beta2.MetricSpec', None, None, 'atomic', None, 1),
        ('minReplicas', 12, 25, 'primitive', 'integer'),
        ('scaleTargetRef', 12, 25, 'map', 'autoscaling_v2beta2.CrossVersionObjectReference'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('conditions', 12, 25, 'list', 'autoscaling_v2beta2.HorizontalPodAutoscalerCondition', None, None, 'atomic', None, 1),
        ('currentMetrics', 12, 25, 'list', 'autoscaling_v2beta2.MetricStatus', None, None, 'atomic', None, 1),
        ('currentReplicas', 12, 25, 'primitive', 'integer'),
        ('desiredReplicas', 12, 25, 'primitive', 'integer'),
        ('lastScaleTime', 12, 25, 'primitive', 'string'),
        ('observedGeneration', 12, 25, 'primitive', 'integer'),
    ),
    'MetricIdentifier': (
        ('name', 12, 25, 'primitive', 'string'),
        ('selector', 12, 19, 'map', 'meta_v1.LabelSelector'),
        ('selector', 20, 25, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
    ),
    'MetricSpec': (
        ('containerResource', 20, 25, 'map', 'autoscaling_v2beta2.ContainerResourceMetricSource'),
        ('external', 12, 25, 'map', 'autoscaling_v2beta2.ExternalMetricSource'),
        ('object', 12, 25, 'map', 'autoscaling_v2beta2.ObjectMetricSource'),
        ('pods', 12, 25, 'map', 'autoscaling_v2beta2.PodsMetricSource'),
        ('resource', 12, 25, 'map', 'autoscaling_v2beta2.ResourceMetricSource'),
        ('type', 12, 25, 'primitive', 'string'),
    ),
    'MetricStatus': (
        ('containerResource', 20, 25, 'map', 'autoscaling_v2beta2.ContainerResourceMetricStatus'),
        ('external', 12, 25, 'map', 'autoscaling_v2beta2.ExternalMetricStatus'),
        ('object', 12, 25, 'map', 'autoscaling_v2beta2.ObjectMetricStatus'),
        ('pods', 12, 25, 'map', 'autoscaling_v2beta2.PodsMetricStatus'),
        ('resource', 12, 25, 'map', 'autoscaling_v2beta2.ResourceMetricStatus'),
        ('type', 12, 25, 'primitive', 'string'),
    ),
    'MetricTarget': (
        ('averageUtilization', 12, 25, 'primitive', 'integer'),
        ('averageValue', 12, 25, 'primitive', 'quantity'),
        ('type', 12, 25, 'primitive', 'string'),
        ('value', 12, 25, 'primitive', 'quantity'),
    ),
    'MetricValueStatus': (
        ('averageUtilization', 12, 25, 'primitive', 'integer'),
        ('averageValue', 12, 25, 'primitive', 'quantity'),
        ('value', 12, 25, 'primitive', 'quantity'),
    ),
    'ObjectMetricSource': (
        ('describedObject', 12, 25, 'map', 'autoscaling_v2beta2.CrossVersionObjectReference'),
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
        ('target', 12, 25, 'map', 'autoscaling_v2beta2.MetricTarget'),
    ),
    'ObjectMetricStatus': (
        ('current', 12, 25, 'map', 'autoscaling_v2beta2.MetricValueStatus'),
        ('describedObject', 12, 25, 'map', 'autoscaling_v2beta2.CrossVersionObjectReference'),
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
    ),
    'PodsMetricSource': (
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
        ('target', 12, 25, 'map', 'autoscaling_v2beta2.MetricTarget'),
    ),
    'PodsMetricStatus': (
        ('current', 12, 25, 'map', 'autoscaling_v2beta2.MetricValueStatus'),
        ('metric', 12, 25, 'map', 'autoscaling_v2beta2.MetricIdentifier'),
    ),
    'ResourceMetricSource': (
        ('name', 12, 25, 'primitive', 'string'),
        ('target', 12, 25, 'map', 'autoscaling_v2beta2.MetricTarget'),
    ),
    'ResourceMetricStatus': (
        ('current', 12, 25, 'map', 'autoscaling_v2beta2.MetricValueStatus'),
        ('name', 12, 25, 'primitive', 'string'),
    ),
}
