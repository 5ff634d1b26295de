package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// This file holds what the API of the field managers is in this release; older releases have files of their own.

type (
	managerOfFields  = managedfields.FieldManager
	converterOfTypes = managedfields.TypeConverter
)

func newFieldManager(types converterOfTypes, kind *ownedKind, custom bool, subresource string) (*managerOfFields, error) {
	makes, converter := managedfields.NewDefaultFieldManager, sameFields{kind}
	if custom {
		makes = managedfields.NewDefaultCRDFieldManager
	}
	return makes(types, converter, converter, converter, kind.gvk(), kind.gvk().GroupVersion(), subresource, resetFields(kind))
}

func newDeducedTypeConverter() converterOfTypes {
	return managedfields.NewDeducedTypeConverter()
}

func newTypeConverter(definitions map[string]*spec.Schema, preserve bool) (converterOfTypes, error) {
	return managedfields.NewTypeConverter(definitions, preserve)
}

func newScaleHandler(entries []metav1.ManagedFieldsEntry, kind *ownedKind) *managedfields.ScaleHandler {
	mappings := managedfields.ResourcePathMappings{}
	for _, version := range append([]string{kind.APIVersion}, kind.Versions...) {
		mappings[version] = fieldpath.MakePathOrDie("spec", "replicas")
	}
	return managedfields.NewScaleHandler(entries, kind.gvk().GroupVersion(), mappings)
}

// keepsTimes says whether a write that changes nothing but times changes no time either.
func keepsTimes(*ownedKind) bool {
	return true
}

// resetFields are the same in all versions; of a custom resource itself, they hold for the version of the request only.
func resetFields(kind *ownedKind) map[fieldpath.APIVersion]fieldpath.Filter {
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
	filters := map[fieldpath.APIVersion]fieldpath.Filter{}
	versions := append([]string{kind.APIVersion}, kind.Versions...)
	if kind.Custom && !kind.ResetEverywhere {
		versions = versions[:1]
	}
	for _, version := range versions {
		filters[fieldpath.APIVersion(version)] = fieldpath.NewExcludeSetFilter(set)
	}
	return filters
}
