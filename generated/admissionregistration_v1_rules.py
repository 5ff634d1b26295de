"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'MutatingAdmissionPolicy': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'MutatingAdmissionPolicyBinding': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'MutatingWebhookConfiguration': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'ValidatingAdmissionPolicy': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 37, None, None, 'type', 'admissionregistration_v1.ValidatingAdmissionPolicyStatus'),
    ),
    'ValidatingAdmissionPolicyBinding': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'admissionregistration_v1.ValidatingAdmissionPolicyBindingSpec'),
    ),
    'ValidatingAdmissionPolicyBindingSpec': (
        ('policyName', 36, None, None, 'type', 'string'),
        ('policyName', 36, None, 37, 'required'),
        ('validationActions', 36, None, None, 'type', '[]~string'),
        ('validationActions', 36, None, 37, 'required'),
    ),
    'ValidatingAdmissionPolicyStatus': (
        ('conditions', 37, None, None, 'type', '[]meta_v1.Condition'),
        ('conditions', 37, None, None, 'optional'),
        ('conditions', 37, None, None, 'listType', 'map'),
        ('conditions', 37, None, None, 'listMapKey', 'type'),
    ),
    'ValidatingWebhookConfiguration': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
}
