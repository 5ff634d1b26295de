package main

import (
	"encoding/json"

	openapi_v2 "github.com/google/gnostic/openapiv2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager"
	"k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
)

// This file holds what the API of the field managers was until 1.26.

type (
	managerOfFields  = fieldmanager.FieldManager
	converterOfTypes = fieldmanager.TypeConverter
)

func newFieldManager(types converterOfTypes, kind *ownedKind, custom bool, subresource string) (*managerOfFields, error) {
	makes, converter := fieldmanager.NewDefaultFieldManager, sameFields{kind}
	if custom {
		makes = fieldmanager.NewDefaultCRDFieldManager
	}
	return makes(types, converter, converter, converter, kind.gvk(), kind.gvk().GroupVersion(), subresource, resetFields(kind))
}

func newDeducedTypeConverter() converterOfTypes {
	return fieldmanager.DeducedTypeConverter{}
}

func newTypeConverter(definitions map[string]*spec.Schema, preserve bool) (converterOfTypes, error) {
	text, err := json.Marshal(map[string]any{
		"swagger":     "2.0",
		"info":        map[string]string{"title": "definitions", "version": "v1"},
		"paths":       map[string]any{},
		"definitions": definitions,
	})
	if err != nil {
		return nil, err
	}
	if text, err = withoutUnions(text); err != nil {
		return nil, err
	}
	parsed, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	models, err := proto.NewOpenAPIData(parsed)
	if err != nil {
		return nil, err
	}
	return fieldmanager.NewTypeConverter(models, preserve)
}

// withoutUnions leaves out what a server leaves out of the OpenAPI v2 document of a custom resource.
func withoutUnions(text []byte) ([]byte, error) {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	leaveOutUnions(document)
	return json.Marshal(document)
}

func leaveOutUnions(value any) {
	switch inside := value.(type) {
	case map[string]any:
		if _, isUnion := inside["anyOf"].([]any); isUnion {
			delete(inside, "anyOf")
		}
		for _, inner := range inside {
			leaveOutUnions(inner)
		}
	case []any:
		for _, inner := range inside {
			leaveOutUnions(inner)
		}
	}
}

func newScaleHandler(entries []metav1.ManagedFieldsEntry, kind *ownedKind) *fieldmanager.ScaleHandler {
	mappings := fieldmanager.ResourcePathMappings{}
	for _, version := range append([]string{kind.APIVersion}, kind.Versions...) {
		mappings[version] = fieldpath.MakePathOrDie("spec", "replicas")
	}
	return fieldmanager.NewScaleHandler(entries, kind.gvk().GroupVersion(), mappings)
}

// resetFields are the same in all versions; of a custom resource itself, they hold for the version of the request only.
func resetFields(kind *ownedKind) map[fieldpath.APIVersion]*fieldpath.Set {
	if len(kind.Reset) == 0 {
		return nil
	}
	set := fieldpath.NewSet()
	for _, names := range kind.Reset {
		path := fieldpath.Path{}
		for _, name := range names {
			path = append(path, fieldpath.PathElement{FieldName: &name})
		}
		set.Insert(path)
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	versions := append([]string{kind.APIVersion}, kind.Versions...)
	if kind.Custom && !kind.ResetEverywhere {
		versions = versions[:1]
	}
	for _, version := range versions {
		sets[fieldpath.APIVersion(version)] = set
	}
	return sets
}

// keepsTimes says whether a write that changes nothing but times changes no time either.
func keepsTimes(*ownedKind) bool {
	return true
}
