package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/conversion"
	kjson "sigs.k8s.io/json"
)

// keepTimes is IgnoreManagedFieldsTimestampsTransformer of k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager:
// a write that changes nothing but times changes no time either.
func keepTimes(stored, before *unstructured.Unstructured) {
	old, now := before.GetManagedFields(), stored.GetManagedFields()
	if len(old) != len(now) || len(now) == 0 {
		return
	}
	if !timeless.DeepEqualWithNilDifferentFromEmpty(old, now) {
		return
	}
	one, other := stored.DeepCopy(), before.DeepCopy()
	one.SetManagedFields(nil)
	other.SetManagedFields(nil)
	other.SetAPIVersion(one.GetAPIVersion()) // the server compares them in one version
	if !timeless.DeepEqualWithNilDifferentFromEmpty(one.Object, other.Object) {
		return
	}
	for i := range now {
		now[i].Time = old[i].Time
	}
	stored.SetManagedFields(now)
}

var timeless = func() conversion.Equalities {
	equalities := equality.Semantic.Copy()
	if err := equalities.AddFunc(func(a, b metav1.ManagedFieldsEntry) bool {
		a.Time, b.Time = nil, nil
		return reflect.DeepEqual(a, b)
	}); err != nil {
		panic(err)
	}
	return equalities
}()

// jsonInto reads JSON as the API server does: integers stay integers.
func jsonInto(text []byte, into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}
