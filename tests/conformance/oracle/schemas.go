package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// selector is the `schema` of a request: {"go": {...}}, {"go": "MergeItem"} (see testTypes), or a file and a definition in it.
type selector struct {
	Go         json.RawMessage `json:"go"`
	OpenAPIV2  string          `json:"openapi_v2"`
	OpenAPIV3  string          `json:"openapi_v3"`
	Definition string          `json:"definition"`
}

func schemaOf(raw json.RawMessage) (strategicpatch.LookupPatchMeta, error) {
	if len(raw) == 0 {
		return nil, errors.New("this op needs a schema")
	}
	var chosen selector
	if err := json.Unmarshal(raw, &chosen); err != nil {
		return nil, fmt.Errorf("cannot read the schema: %w", err)
	}
	switch {
	case chosen.Go != nil:
		object, err := goObject(chosen.Go)
		if err != nil {
			return nil, err
		}
		return strategicpatch.NewPatchMetaFromStruct(object)
	case chosen.OpenAPIV2 != "":
		return openAPIV2(chosen.OpenAPIV2, chosen.Definition)
	case chosen.OpenAPIV3 != "":
		return openAPIV3(chosen.OpenAPIV3, chosen.Definition)
	}
	return nil, errors.New(`a schema is {"go": ...}, {"openapi_v2": file, ...} or {"openapi_v3": file, ...}`)
}

// testTypes are the types of our own.
var testTypes = map[string]any{"MergeItem": &MergeItem{}, "OddStrategies": &OddStrategies{}}

// goObject makes an empty value of a type: one of client-go's kinds, or our own test types.
func goObject(raw json.RawMessage) (any, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		if object, known := testTypes[name]; known {
			return object, nil
		}
		return nil, fmt.Errorf("unknown Go type %q", name)
	}
	var kind struct{ Group, Version, Kind string }
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, fmt.Errorf("cannot read the Go type: %w", err)
	}
	return scheme.Scheme.New(schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind})
}
