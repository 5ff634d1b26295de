package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// ownedKind says of which kind an object is, and what the API server knows of the kind.
type ownedKind struct {
	// File is an OpenAPI document, v2 or v3; only its definitions are read. Without one, types are deduced.
	File string `json:"file"`
	// APIVersion and Kind are those of the request.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Described is the apiVersion that the document has the kind in.
	Described string `json:"described"`
	// Versions are the other apiVersions that the kind is served in, with the same fields.
	Versions []string `json:"versions"`
	// KeyDefaults are defaults that the document does not state: definition, field, value.
	KeyDefaults [][3]any `json:"key_defaults"`
	// Custom kinds keep nulls, as unstructured objects do; all others lose them on their way through Go types.
	Custom                bool `json:"custom"`
	PreserveUnknownFields bool `json:"preserve_unknown_fields"`
	// Empty is what Go prints of an empty object of the kind, in the version of the request.
	Empty json.RawMessage `json:"empty"`
	// Nulls are the fields of a built-in kind that Go prints as null, as paths without the steps of lists.
	Nulls []string `json:"nulls"`
	// Reset holds the paths that the strategy of the resource or subresource resets, as names of fields.
	Reset [][]string `json:"reset"`
	// ResetEverywhere says that a custom resource is written through a subresource.
	ResetEverywhere bool `json:"reset_everywhere"`
}

func (k *ownedKind) gvk() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(k.APIVersion, k.Kind)
}

func (k *ownedKind) serves(version string) bool {
	if version == k.APIVersion {
		return true
	}
	for _, other := range k.Versions {
		if version == other {
			return true
		}
	}
	return false
}

var typeConverters = map[string]converterOfTypes{}

// typeConverter reads the document once for each kind with its versions.
func typeConverter(kind *ownedKind) (converterOfTypes, error) {
	if kind.File == "" {
		return newDeducedTypeConverter(), nil
	}
	key := strings.Join(append([]string{kind.File, kind.APIVersion, kind.Kind, fmt.Sprint(kind.PreserveUnknownFields)}, kind.Versions...), " ")
	if known, ok := typeConverters[key]; ok {
		return known, nil
	}
	definitions, err := definitionsOf(kind)
	if err != nil {
		return nil, err
	}
	made, err := newTypeConverter(definitions, kind.PreserveUnknownFields)
	if err == nil {
		typeConverters[key] = made
	}
	return made, err
}

func definitionsOf(kind *ownedKind) (map[string]*spec.Schema, error) {
	content, err := fileText(kind.File)
	if err != nil {
		return nil, err
	}
	var document struct {
		Definitions map[string]*spec.Schema `json:"definitions"`
		Components  struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(content, &document); err != nil {
		return nil, err
	}
	definitions := document.Definitions
	if definitions == nil {
		definitions = document.Components.Schemas
	}
	for _, known := range kind.KeyDefaults {
		if definition := definitions[text(known[0])]; definition != nil {
			if field, ok := definition.Properties[text(known[1])]; ok {
				field.Default = known[2]
				definition.Properties[text(known[1])] = field
			}
		}
	}
	serveOtherVersions(definitions, kind)
	return definitions, nil
}

// serveOtherVersions makes the definition of the kind that of all its versions.
func serveOtherVersions(definitions map[string]*spec.Schema, kind *ownedKind) {
	const extension = "x-kubernetes-group-version-kind"
	for _, definition := range definitions {
		kinds, _ := definition.Extensions[extension].([]any)
		kept := []any{}
		for _, one := range kinds {
			named, _ := one.(map[string]any)
			gvk := schema.GroupVersionKind{Group: text(named["group"]), Version: text(named["version"]), Kind: text(named["kind"])}
			version := gvk.GroupVersion().String()
			switch {
			case gvk.Kind != kind.Kind || !kind.serves(version):
				kept = append(kept, one)
			case version == kind.Described:
				for _, served := range append([]string{kind.APIVersion}, kind.Versions...) {
					gvk := schema.FromAPIVersionAndKind(served, kind.Kind)
					kept = append(kept, map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind})
				}
			}
		}
		if kinds != nil {
			definition.Extensions[extension] = kept
		}
	}
}

func text(value any) string {
	found, _ := value.(string)
	return found
}

// sameFields converts between versions of a kind that have the same fields.
type sameFields struct {
	kind *ownedKind
}

func (s sameFields) Convert(in, out, context any) error {
	return fmt.Errorf("not used by field managers")
}

func (s sameFields) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", fmt.Errorf("not used by field managers")
}

func (s sameFields) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object := in.DeepCopyObject().(*unstructured.Unstructured)
	gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{object.GroupVersionKind()})
	if ok && s.kind.Custom && s.kind.File != "" && !s.kind.serves(gvk.GroupVersion().String()) {
		return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s", gvk.GroupVersion())
	}
	if !ok || !s.kind.serves(gvk.GroupVersion().String()) {
		return nil, runtime.NewNotRegisteredErrForTarget("served kinds", nil, target)
	}
	object.SetGroupVersionKind(gvk)
	if !s.kind.Custom {
		s.kind.withoutNulls(object.Object)
	}
	return object, nil
}

// withoutNulls does to an object what decoding it into Go types and encoding these does: a null is nothing, but for
// some fields.
func (k *ownedKind) withoutNulls(value any) {
	kept := map[string]bool{}
	for _, path := range k.Nulls {
		kept[path] = true
	}
	withoutNulls(value, "", kept)
}

func withoutNulls(value any, at string, kept map[string]bool) {
	switch inside := value.(type) {
	case map[string]any:
		for key, inner := range inside {
			if inner == nil && !kept[at+key] {
				delete(inside, key)
			} else {
				withoutNulls(inner, at+key+".", kept)
			}
		}
	case []any:
		for _, inner := range inside {
			withoutNulls(inner, at, kept)
		}
	}
}

func (s sameFields) Default(runtime.Object) {}

func (s sameFields) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	if len(s.kind.Empty) > 0 {
		if err := jsonInto(s.kind.Empty, &object.Object); err != nil {
			return nil, err
		}
	}
	object.SetGroupVersionKind(gvk)
	return object, nil
}
