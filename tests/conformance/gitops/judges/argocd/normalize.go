// The normalization of Argo CD v3.6.1, from its packages util/argo/diff, util/argo/normalizers, util/argo/managedfields
// and controller. Copyright The Argo CD Authors, licensed under the Apache License 2.0.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube/scheme"
	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/itchyny/gojq"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubectl/pkg/util/openapi"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const (
	instanceLabel = "app.kubernetes.io/instance"
	trackingID    = "argocd.argoproj.io/tracking-id"
)

func (one ignoreDifference) matches(object *unstructured.Unstructured) bool {
	kind := object.GroupVersionKind()
	group, _ := path.Match(one.Group, kind.Group)
	name, _ := path.Match(one.Kind, kind.Kind)
	return group && name && (one.Name == "" || one.Name == object.GetName()) &&
		(one.Namespace == "" || one.Namespace == object.GetNamespace())
}

type ignoreNormalizer struct {
	rules   []ignoreDifference
	patches [][]func([]byte) ([]byte, error)
}

func newIgnoreNormalizer(ignore []ignoreDifference) (*ignoreNormalizer, error) {
	// The default of resource.compareoptions ignores the status of all objects.
	found := &ignoreNormalizer{rules: append(
		slices.Clone(ignore), ignoreDifference{Group: "*", Kind: "*", JSONPointers: []string{"/status"}},
	)}
	for _, rule := range found.rules {
		var patches []func([]byte) ([]byte, error)
		for _, pointer := range rule.JSONPointers {
			data, err := json.Marshal([]map[string]string{{"op": "remove", "path": pointer}})
			if err != nil {
				return nil, err
			}
			patch, err := jsonpatch.DecodePatch(data)
			if err != nil {
				return nil, err
			}
			patches = append(patches, patch.Apply)
		}
		for _, expression := range rule.JQPathExpressions {
			query, err := gojq.Parse(fmt.Sprintf("del(%s)", expression))
			if err != nil {
				return nil, err
			}
			code, err := gojq.Compile(query)
			if err != nil {
				return nil, err
			}
			patches = append(patches, func(data []byte) ([]byte, error) { return deleted(code, data) })
		}
		found.patches = append(found.patches, patches)
	}
	return found, nil
}

func deleted(code *gojq.Code, data []byte) ([]byte, error) {
	content := make(map[string]any)
	if err := json.Unmarshal(data, &content); err != nil {
		return nil, err
	}
	iterator := code.Run(content)
	first, ok := iterator.Next()
	if !ok {
		return nil, errors.New("JQ patch did not return any data")
	}
	if err, ok := first.(error); ok {
		return nil, err
	}
	if _, ok = iterator.Next(); ok {
		return nil, errors.New("JQ patch returned multiple objects")
	}
	return json.Marshal(first)
}

func (n *ignoreNormalizer) Normalize(object *unstructured.Unstructured) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	for i, rule := range n.rules {
		if !rule.matches(object) {
			continue
		}
		for _, patch := range n.patches[i] {
			if patched, err := patch(data); err == nil {
				data = patched
			}
		}
	}
	return json.Unmarshal(data, object)
}

var _ diff.Normalizer = &ignoreNormalizer{}

// normalizedBefore is preDiffNormalize.
func normalizedBefore(
	lives, targets []*unstructured.Unstructured, asked request, parser *managedfields.GvkParser,
) ([]*unstructured.Unstructured, []*unstructured.Unstructured, error) {
	var newLives, newTargets []*unstructured.Unstructured
	for i := range targets {
		live, target := copied(lives[i]), copied(targets[i])
		if live != nil && target != nil {
			backfillTracking(target, live, asked.Tracking)
			var managers []string
			for _, rule := range asked.Ignore {
				if rule.matches(target) {
					managers = append(managers, rule.ManagedFieldsManagers...)
				}
			}
			if len(managers) > 0 {
				var err error
				pt := scheme.ResolveParseableType(target.GroupVersionKind(), parser)
				if live, target, err = withoutFieldsOf(managers, live, target, pt); err != nil {
					return nil, nil, err
				}
			}
		}
		newLives, newTargets = append(newLives, live), append(newTargets, target)
	}
	return newLives, newTargets, nil
}

func copied(object *unstructured.Unstructured) *unstructured.Unstructured {
	if object == nil {
		return nil
	}
	return object.DeepCopy()
}

// backfillTracking is (resourceTracking).Normalize.
func backfillTracking(target, live *unstructured.Unstructured, method string) {
	labels, annotations := live.GetLabels(), live.GetAnnotations()
	if method == "label" || labels[instanceLabel] == "" || kube.IsCRD(live) {
		return
	}
	if annotations[trackingID] == "" {
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[trackingID] = target.GetAnnotations()[trackingID]
		live.SetAnnotations(annotations)
	}
	if target.GetLabels()[instanceLabel] == "" {
		delete(labels, instanceLabel)
		if len(labels) == 0 {
			unstructured.RemoveNestedField(live.Object, "metadata", "labels")
		} else {
			live.SetLabels(labels)
		}
	}
}

// withoutFieldsOf is managedfields.Normalize.
func withoutFieldsOf(
	managers []string, live, target *unstructured.Unstructured, pt *typed.ParseableType,
) (*unstructured.Unstructured, *unstructured.Unstructured, error) {
	if pt == nil {
		pt = &typed.DeducedParseableType
	}
	typedLive, err := pt.FromUnstructured(live.Object)
	if err != nil {
		return live, target, nil
	}
	typedTarget, err := pt.FromUnstructured(target.Object)
	if err != nil {
		return live, target, nil
	}
	comparison, err := typedLive.Compare(typedTarget)
	if err != nil {
		return live, target, nil
	}
	normalized := false
	for _, entry := range live.GetManagedFields() {
		if !slices.Contains(managers, entry.Manager) {
			continue
		}
		fields := &fieldpath.Set{}
		if err := fields.FromJSON(bytes.NewReader(entry.FieldsV1.GetRawBytes())); err != nil {
			return nil, nil, err
		}
		if both := fields.Intersection(comparison.Modified); !both.Empty() {
			typedLive, typedTarget = typedLive.RemoveItems(both), typedTarget.RemoveItems(both)
		}
		normalized = true
	}
	if !normalized {
		return live, target, nil
	}
	return objectOf(typedLive), objectOf(typedTarget), nil
}

func objectOf(value *typed.TypedValue) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: value.AsValue().Unstructured().(map[string]any)}
}

// normalizedTargets is normalizeTargetResources.
func normalizedTargets(
	schema openapi.Resources, states sync.ReconciliationResult, asked request, parser *managedfields.GvkParser,
) ([]*unstructured.Unstructured, error) {
	lives, targets, err := normalizedBefore(states.Live, states.Target, asked, parser)
	if err != nil {
		return nil, err
	}
	normalizer, err := newIgnoreNormalizer(asked.Ignore)
	if err != nil {
		return nil, err
	}
	var found []*unstructured.Unstructured
	for i, target := range targets {
		live := states.Live[i]
		if live == nil || target == nil {
			found = append(found, states.Target[i])
			continue
		}
		if err := normalizer.Normalize(lives[i]); err != nil {
			return nil, err
		}
		if err := normalizer.Normalize(target); err != nil {
			return nil, err
		}
		kind := target.GroupVersionKind()
		var meta strategicpatch.LookupPatchMeta
		versioned, err := clientscheme.Scheme.New(kind)
		if err == nil {
			if meta, err = strategicpatch.NewPatchMetaFromStruct(versioned); err != nil {
				return nil, err
			}
		} else if custom := schema.LookupResource(kind); custom != nil {
			meta = strategicpatch.NewPatchMetaFromOpenAPI(custom)
		}
		plainLive, normalizedLive := live.DeepCopy(), lives[i].DeepCopy()
		unstructured.RemoveNestedField(plainLive.Object, "status")
		unstructured.RemoveNestedField(normalizedLive.Object, "status")
		patch, err := patchBetween(normalizedLive, plainLive, meta)
		if err != nil {
			return nil, err
		}
		var typedObject any
		if versioned != nil {
			typedObject = versioned
		}
		patched, err := patchedBy(patch, target, typedObject, meta)
		if err != nil {
			return nil, err
		}
		restore(patched.Object, states.Target[i].Object, target.Object, lives[i].Object)
		found = append(found, patched)
	}
	return found, nil
}

func patchBetween(original, modified *unstructured.Unstructured, meta strategicpatch.LookupPatchMeta) ([]byte, error) {
	before, err := original.MarshalJSON()
	if err != nil {
		return nil, err
	}
	after, err := modified.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if meta != nil {
		return strategicpatch.CreateThreeWayMergePatch(after, after, before, meta, true)
	}
	return jsonpatch.CreateMergePatch(before, after)
}

func patchedBy(
	patch []byte, object *unstructured.Unstructured, versioned any, meta strategicpatch.LookupPatchMeta,
) (*unstructured.Unstructured, error) {
	before, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var after []byte
	switch {
	case versioned != nil:
		after, err = strategicpatch.StrategicMergePatch(before, patch, versioned)
	case meta != nil:
		var beforeMap, patchMap, afterMap map[string]any
		if err = json.Unmarshal(before, &beforeMap); err != nil {
			return nil, err
		}
		if err = json.Unmarshal(patch, &patchMap); err != nil {
			return nil, err
		}
		if afterMap, err = strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(beforeMap, patchMap, meta); err != nil {
			return nil, err
		}
		after, err = json.Marshal(afterMap)
	default:
		after, err = jsonpatch.MergePatch(before, patch)
	}
	if err != nil {
		return nil, err
	}
	found := &unstructured.Unstructured{}
	_, _, err = unstructured.UnstructuredJSONScheme.Decode(after, nil, found)
	return found, err
}

// restore is restoreNonIgnoredFields.
func restore(patched, original, normalizedTarget, normalizedLive map[string]any) {
	for key, originalVal := range original {
		patchedVal, inPatched := patched[key]
		normalizedVal, inNormalized := normalizedTarget[key]
		patchedMap, patchedIsMap := patchedVal.(map[string]any)
		originalMap, originalIsMap := originalVal.(map[string]any)
		normalizedMap, normalizedIsMap := normalizedVal.(map[string]any)
		if inPatched && patchedIsMap && originalIsMap && normalizedIsMap {
			liveMap, _ := normalizedLive[key].(map[string]any)
			restore(patchedMap, originalMap, normalizedMap, liveMap)
			continue
		}
		if inNormalized && reflect.DeepEqual(normalizedVal, originalVal) &&
			(!inPatched || !reflect.DeepEqual(patchedVal, originalVal)) {
			patched[key] = originalVal
		}
	}
	for key := range patched {
		if _, inOriginal := original[key]; inOriginal {
			continue
		}
		if _, inLive := normalizedLive[key]; inLive {
			delete(patched, key)
		}
	}
}
