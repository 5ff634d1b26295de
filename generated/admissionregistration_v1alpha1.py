"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AdmissionHookClientConfig': (
        ('caBundle', 7, 8, 'primitive', 'string'),
        ('service', 7, 8, 'map', 'admissionregistration_v1alpha1.ServiceReference'),
    ),
    'ApplyConfiguration': (
        ('expression', 32, None, 'primitive', 'string'),
    ),
    'AuditAnnotation': (
        ('key', 27, 31, 'primitive', 'string'),
        ('valueExpression', 27, 31, 'primitive', 'string'),
    ),
    'ExpressionWarning': (
        ('fieldRef', 27, 31, 'primitive', 'string'),
        ('warning', 27, 31, 'primitive', 'string'),
    ),
    'ExternalAdmissionHook': (
        ('clientConfig', 7, 8, 'map', 'admissionregistration_v1alpha1.AdmissionHookClientConfig'),
        ('failurePolicy', 7, 8, 'primitive', 'string'),
        ('name', 7, 8, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('rules', 7, 8, 'list', 'admissionregistration_v1alpha1.RuleWithOperations', None, None, 'atomic', None, 1),
    ),
    'ExternalAdmissionHookConfiguration': (
        ('apiVersion', 7, 8, 'primitive', 'string'),
        ('externalAdmissionHooks', 7, 8, 'list', 'admissionregistration_v1alpha1.ExternalAdmissionHook', 'merge', 'name', 'map', ('name',), 1),
        ('kind', 7, 8, 'primitive', 'string'),
        ('metadata', 7, 8, 'map', 'meta_v1.ObjectMeta'),
    ),
    'ExternalAdmissionHookConfigurationList': (
        ('apiVersion', 7, 8, 'primitive', 'string'),
        ('items', 7, 8, 'list', 'admissionregistration_v1alpha1.ExternalAdmissionHookConfiguration', None, None, 'atomic', None, 1),
        ('kind', 7, 8, 'primitive', 'string'),
        ('metadata', 7, 8, 'map', 'meta_v1.ListMeta'),
    ),
    'Initializer': (
        ('failurePolicy', 7, 7, 'primitive', 'string'),
        ('name', 7, 13, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('rules', 7, 13, 'list', 'admissionregistration_v1alpha1.Rule', None, None, 'atomic', None, 1),
    ),
    'InitializerConfiguration': (
        ('apiVersion', 7, 13, 'primitive', 'string'),
        ('initializers', 7, 13, 'list', 'admissionregistration_v1alpha1.Initializer', 'merge', 'name', 'map', ('name',), 1),
        ('kind', 7, 13, 'primitive', 'string'),
        ('metadata', 7, 13, 'map', 'meta_v1.ObjectMeta'),
    ),
    'InitializerConfigurationList': (
        ('apiVersion', 7, 13, 'primitive', 'string'),
        ('items', 7, 13, 'list', 'admissionregistration_v1alpha1.InitializerConfiguration', None, None, 'atomic', None, 1),
        ('kind', 7, 13, 'primitive', 'string'),
        ('metadata', 7, 13, 'map', 'meta_v1.ListMeta'),
    ),
    'JSONPatch': (
        ('expression', 32, None, 'primitive', 'string'),
    ),
    'MatchCondition': (
        ('expression', 27, None, 'primitive', 'string'),
        ('name', 27, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'MatchResources': (
        ('', 26, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('excludeResourceRules', 26, None, 'list', 'admissionregistration_v1alpha1.NamedRuleWithOperations', None, None, 'atomic'),
        ('matchPolicy', 26, None, 'primitive', 'string'),
        ('namespaceSelector', 26, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('objectSelector', 26, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('resourceRules', 26, None, 'list', 'admissionregistration_v1alpha1.NamedRuleWithOperations', None, None, 'atomic'),
    ),
    'MutatingAdmissionPolicy': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 32, None, 'map', 'admissionregistration_v1alpha1.MutatingAdmissionPolicySpec'),
    ),
    'MutatingAdmissionPolicyBinding': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 32, None, 'map', 'admissionregistration_v1alpha1.MutatingAdmissionPolicyBindingSpec'),
    ),
    'MutatingAdmissionPolicyBindingList': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('items', 32, None, 'list', 'admissionregistration_v1alpha1.MutatingAdmissionPolicyBinding', None, None, 'atomic', None, 1),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ListMeta'),
    ),
    'MutatingAdmissionPolicyBindingSpec': (
        ('matchResources', 32, None, 'map', 'admissionregistration_v1alpha1.MatchResources', None, None, None, None, None, 'atomic'),
        ('paramRef', 32, None, 'map', 'admissionregistration_v1alpha1.ParamRef', None, None, None, None, None, 'atomic'),
        ('policyName', 32, None, 'primitive', 'string'),
    ),
    'MutatingAdmissionPolicyList': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('items', 32, None, 'list', 'admissionregistration_v1alpha1.MutatingAdmissionPolicy', None, None, 'atomic', None, 1),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ListMeta'),
    ),
    'MutatingAdmissionPolicySpec': (
        ('failurePolicy', 32, None, 'primitive', 'string'),
        ('matchConditions', 32, None, 'list', 'admissionregistration_v1alpha1.MatchCondition', 'merge', 'name', 'map', ('name',)),
        ('matchConstraints', 32, None, 'map', 'admissionregistration_v1alpha1.MatchResources', None, None, None, None, None, 'atomic'),
        ('mutations', 32, None, 'list', 'admissionregistration_v1alpha1.Mutation', None, None, 'atomic'),
        ('paramKind', 32, None, 'map', 'admissionregistration_v1alpha1.ParamKind', None, None, None, None, None, 'atomic'),
        ('reinvocationPolicy', 32, None, 'primitive', 'string'),
        ('variables', 32, None, 'list', 'admissionregistration_v1alpha1.Variable', None, None, 'atomic'),
    ),
    'Mutation': (
        ('applyConfiguration', 32, None, 'map', 'admissionregistration_v1alpha1.ApplyConfiguration'),
        ('jsonPatch', 32, None, 'map', 'admissionregistration_v1alpha1.JSONPatch'),
        ('patchType', 32, None, 'primitive', 'string'),
    ),
    'NamedRuleWithOperations': (
        ('', 26, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('apiGroups', 26, None, 'list', 'string', None, None, 'atomic'),
        ('apiVersions', 26, None, 'list', 'string', None, None, 'atomic'),
        ('operations', 26, None, 'list', 'string', None, None, 'atomic'),
        ('resourceNames', 26, None, 'list', 'string', None, None, 'atomic'),
        ('resources', 26, None, 'list', 'string', None, None, 'atomic'),
        ('scope', 26, None, 'primitive', 'string'),
    ),
    'ParamKind': (
        ('', 26, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('apiVersion', 26, None, 'primitive', 'string'),
        ('kind', 26, None, 'primitive', 'string'),
    ),
    'ParamRef': (
        ('', 26, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('name', 26, None, 'primitive', 'string'),
        ('namespace', 26, None, 'primitive', 'string'),
        ('parameterNotFoundAction', 28, None, 'primitive', 'string'),
        ('selector', 28, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
    ),
    'Rule': (
        ('apiGroups', 7, 13, 'list', 'string', None, None, 'atomic', None, 1),
        ('apiVersions', 7, 13, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 7, 13, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'RuleWithOperations': (
        ('apiGroups', 7, 8, 'list', 'string', None, None, 'atomic', None, 1),
        ('apiVersions', 7, 8, 'list', 'string', None, None, 'atomic', None, 1),
        ('operations', 7, 8, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 7, 8, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'ServiceReference': (
        ('name', 7, 8, 'primitive', 'string'),
        ('namespace', 7, 8, 'primitive', 'string'),
    ),
    'TypeChecking': (
        ('expressionWarnings', 27, 31, 'list', 'admissionregistration_v1alpha1.ExpressionWarning', None, None, 'atomic'),
    ),
    'ValidatingAdmissionPolicy': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 31, 'map', 'admissionregistration_v1alpha1.ValidatingAdmissionPolicySpec'),
        ('status', 27, 31, 'map', 'admissionregistration_v1alpha1.ValidatingAdmissionPolicyStatus'),
    ),
    'ValidatingAdmissionPolicyBinding': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 31, 'map', 'admissionregistration_v1alpha1.ValidatingAdmissionPolicyBindingSpec'),
    ),
    'ValidatingAdmissionPolicyBindingList': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('items', 26, 31, 'list', 'admissionregistration_v1alpha1.ValidatingAdmissionPolicyBinding', None, None, 'atomic', None, 1),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ListMeta'),
    ),
    'ValidatingAdmissionPolicyBindingSpec': (
        ('matchResources', 26, 31, 'map', 'admissionregistration_v1alpha1.MatchResources', None, None, None, None, None, 'atomic'),
        ('paramRef', 26, 31, 'map', 'admissionregistration_v1alpha1.ParamRef', None, None, None, None, None, 'atomic'),
        ('policyName', 26, 31, 'primitive', 'string'),
        ('validationActions', 27, 31, 'list', 'string', None, None, 'set'),
    ),
    'ValidatingAdmissionPolicyList': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('items', 26, 31, 'list', 'admissionregistration_v1alpha1.ValidatingAdmissionPolicy', None, None, 'atomic', None, 1),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ListMeta'),
    ),
    'ValidatingAdmissionPolicySpec': (
        ('auditAnnotations', 27, 31, 'list', 'admissionregistration_v1alpha1.AuditAnnotation', None, None, 'atomic'),
        ('failurePolicy', 26, 31, 'primitive', 'string'),
        ('matchConditions', 27, 31, 'list', 'admissionregistration_v1alpha1.MatchCondition', 'merge', 'name', 'map', ('name',)),
        ('matchConstraints', 26, 31, 'map', 'admissionregistration_v1alpha1.MatchResources', None, None, None, None, None, 'atomic'),
        ('paramKind', 26, 31, 'map', 'admissionregistration_v1alpha1.ParamKind', None, None, None, None, None, 'atomic'),
        ('validations', 26, 31, 'list', 'admissionregistration_v1alpha1.Validation', None, None, 'atomic'),
        ('variables', 28, 31, 'list', 'admissionregistration_v1alpha1.Variable', 'merge', 'name', 'map', ('name',)),
    ),
    'ValidatingAdmissionPolicyStatus': (
        ('conditions', 27, 31, 'list', 'meta_v1.Condition', None, None, 'map', ('type',)),
        ('observedGeneration', 27, 31, 'primitive', 'integer'),
        ('typeChecking', 27, 31, 'map', 'admissionregistration_v1alpha1.TypeChecking'),
    ),
    'Validation': (
        ('expression', 26, 31, 'primitive', 'string'),
        ('message', 26, 31, 'primitive', 'string'),
        ('messageExpression', 27, 31, 'primitive', 'string'),
        ('reason', 26, 31, 'primitive', 'string'),
    ),
    'Variable': (
        ('expression', 28, None, 'primitive', 'string'),
        ('name', 28, 31, 'primitive', 'string', None, None, None, None, None, None, ''),
        ('name', 32, None, 'primitive', 'string'),
    ),
}
