package main

import (
	"encoding/json"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubectl/pkg/scheme"
)

// kubectlPatch answers which patch `kubectl apply` sends of a kind whose server takes strategic patches: by what the
// server says of the kind, else by the compiled-in type, else a JSON merge patch.
func kubectlPatch(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.LastApplied, asked.Config, asked.Live)
	if err != nil {
		return nil, err
	}
	openAPI, known := meta.(strategicpatch.PatchMetaFromOpenAPI)
	if !known {
		return nil, errors.New(`kubectl needs a schema {"openapi_v2": ...}`)
	}
	overwrite := asked.Overwrite == nil || *asked.Overwrite
	kind := firstKind(openAPI.Schema.GetExtensions()["x-kubernetes-group-version-kind"])
	asked.Preconditions = true
	checks := preconditions(asked)
	return func() ([]byte, error) {
		patchType := "strategic"
		patch, err := strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], meta, overwrite)
		if err != nil {
			object, unknown := scheme.Scheme.New(kind)
			if unknown == nil {
				patch, err = compiledIn(object, texts, overwrite)
			} else if runtime.IsNotRegisteredError(unknown) {
				patchType = "merge"
				patch, err = jsonmergepatch.CreateThreeWayJSONMergePatch(texts[0], texts[1], texts[2], checks...)
			}
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"type": patchType, "patch": json.RawMessage(patch)})
	}, nil
}

func compiledIn(object runtime.Object, texts [][]byte, overwrite bool) ([]byte, error) {
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], meta, overwrite)
}

// firstKind reads the first of the kinds that a definition is of, as YAML has decoded them.
func firstKind(extension any) schema.GroupVersionKind {
	kinds, _ := extension.([]any)
	if len(kinds) == 0 {
		return schema.GroupVersionKind{}
	}
	word := func(name string) string {
		switch facts := kinds[0].(type) {
		case map[any]any:
			text, _ := facts[name].(string)
			return text
		case map[string]any:
			text, _ := facts[name].(string)
			return text
		}
		return ""
	}
	return schema.GroupVersionKind{Group: word("group"), Version: word("version"), Kind: word("kind")}
}
