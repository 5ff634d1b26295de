package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// write is one request to an API server that may change who owns which field.
type write struct {
	// Do is "apply" or "update"; an update is any other write: a create, a replace, a patch.
	Do      string `json:"do"`
	Manager string `json:"manager"`
	Force   bool   `json:"force"`
	// Subresource is empty, "status" or "scale".
	Subresource string `json:"subresource"`
	Time        string `json:"time"`
	// Bare leaves out what surrounds the field manager in a server, for measuring.
	Bare bool `json:"bare"`
	// Live is the object before the write, or null; Object is the config of an apply, or the object after an update.
	Live   json.RawMessage `json:"live"`
	Object json.RawMessage `json:"object"`
}

// ownership answers {"object": ...} or {"conflicts": [{"field", "message"}], "message": ...}; other failures are errors.
func ownership(asked *request) (call, error) {
	var kind ownedKind
	var asks write
	if err := json.Unmarshal(asked.Types, &kind); err != nil {
		return nil, fmt.Errorf("cannot read the types: %w", err)
	}
	if err := json.Unmarshal(asked.Write, &asks); err != nil {
		return nil, fmt.Errorf("cannot read the write: %w", err)
	}
	manager, err := fieldManager(&kind, asks.Subresource)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		stored, err := written(manager, &kind, &asks)
		var status apierrors.APIStatus
		if errors.As(err, &status) && status.Status().Code == 409 {
			return encoded(conflictsOf(status.Status())), nil
		}
		if err != nil {
			return nil, err
		}
		return encoded(map[string]any{"object": stored.Object}), nil
	}, nil
}

func conflictsOf(status metav1.Status) map[string]any {
	conflicts := []map[string]string{}
	for _, cause := range status.Details.Causes {
		conflicts = append(conflicts, map[string]string{"field": cause.Field, "message": cause.Message})
	}
	sort.Slice(conflicts, func(i, j int) bool {
		return conflicts[i]["message"]+conflicts[i]["field"] < conflicts[j]["message"]+conflicts[j]["field"]
	})
	return map[string]any{"conflicts": conflicts, "message": status.Message}
}

var fieldManagers = map[string]*managerOfFields{}

// fieldManager makes the chain of managers as the API server does for a resource or subresource, once.
func fieldManager(kind *ownedKind, subresource string) (*managerOfFields, error) {
	key := string(encoded(kind)) + subresource
	if known, ok := fieldManagers[key]; ok {
		return known, nil
	}
	own := kind
	if subresource == "scale" {
		own = &ownedKind{File: kind.File, APIVersion: "autoscaling/v1", Described: "autoscaling/v1", Kind: "Scale"}
		if kind.Custom || kind.File == "" {
			own.File = scaleDefinitions
		}
	}
	types, err := typeConverter(own)
	if err != nil {
		return nil, err
	}
	made, err := newFieldManager(types, own, kind.Custom, subresource)
	if err == nil {
		fieldManagers[key] = made
	}
	return made, err
}

// scaleDefinitions holds autoscaling/v1 Scale, which custom resources have as a subresource.
const scaleDefinitions = "../../openapi/1.37.json"

func objectOf(raw json.RawMessage) (*unstructured.Unstructured, error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	object := &unstructured.Unstructured{}
	// Not UnmarshalJSON: it insists on a kind. Numbers without a fraction become integers, as everywhere in the server.
	err := jsonInto(raw, &object.Object)
	return object, err
}

// written does one write up to what is stored.
func written(manager *managerOfFields, kind *ownedKind, asks *write) (*unstructured.Unstructured, error) {
	live, err := objectOf(asks.Live)
	if err != nil {
		return nil, err
	}
	object, err := objectOf(asks.Object)
	if err != nil {
		return nil, err
	}
	if asks.Bare {
		return managed(manager, asks, live, object)
	}
	if asks.Subresource == "scale" {
		return scaled(manager, kind, asks, live, object)
	}
	if live != nil && !kind.Custom {
		kind.withoutNulls(live.Object)
	}
	before := live
	if live == nil {
		made, err := sameFields{kind}.New(kind.gvk())
		if err != nil {
			return nil, err
		}
		live = made.(*unstructured.Unstructured)
		if asks.Do == "apply" {
			// What is printed of nothing is no part of the answer.
			live.Object = map[string]any{"apiVersion": kind.APIVersion, "kind": kind.Kind}
		}
	}
	stored, err := managed(manager, asks, live.DeepCopy(), object)
	if err != nil {
		return nil, err
	}
	// An apply that changes nothing returns live as it was; the answer is in the version of the request all the same.
	stored.SetAPIVersion(kind.APIVersion)
	if !kind.Custom {
		kind.withoutNulls(stored.Object)
	}
	restore(stored, before, kind.Reset)
	setTimes(stored, asks.Time)
	if before != nil && keepsTimes(kind) {
		keepTimes(stored, before)
	}
	return stored, nil
}

func managed(manager *managerOfFields, asks *write, live, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if asks.Do == "apply" {
		stored, err := manager.Apply(live, object, asks.Manager, asks.Force)
		if err != nil {
			return nil, err
		}
		return stored.(*unstructured.Unstructured), nil
	}
	return manager.UpdateNoErrors(live, object, asks.Manager).(*unstructured.Unstructured), nil
}

// restore sets what the strategy resets to what was stored before.
func restore(stored, before *unstructured.Unstructured, reset [][]string) {
	managedFields := stored.GetManagedFields()
	for _, path := range reset {
		var old any
		found := false
		if before != nil {
			old, found, _ = unstructured.NestedFieldCopy(before.Object, path...)
		}
		if found {
			_ = unstructured.SetNestedField(stored.Object, old, path...)
		} else {
			unstructured.RemoveNestedField(stored.Object, path...)
		}
	}
	if len(reset) > 0 {
		stored.SetManagedFields(managedFields)
	}
}

var firstRealTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// setTimes replaces the time of this very write by the one that was asked for; all others are long ago.
func setTimes(stored *unstructured.Unstructured, asked string) {
	now, err := time.Parse(time.RFC3339, asked)
	if err != nil {
		panic(err)
	}
	entries := stored.GetManagedFields()
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.After(firstRealTime) {
			entries[i].Time = &metav1.Time{Time: now}
		}
	}
	stored.SetManagedFields(entries)
}

// scaled does a write to the subresource scale: it is another kind, and hands its managers on to the object.
func scaled(manager *managerOfFields, kind *ownedKind, asks *write, parent, scale *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	handler := newScaleHandler(parent.GetManagedFields(), kind)
	entries, err := handler.ToSubresource()
	if err != nil {
		return nil, err
	}
	if kind.Custom && kind.File != "" && asks.Do == "apply" && len(entries) == 0 {
		// What was there before the first apply is compared with an empty Scale, which a server cannot convert.
		return nil, errors.New("request to convert CR to an invalid group/version: autoscaling/v1")
	}
	live := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": map[string]any{}}}
	for _, name := range []string{"name", "namespace", "uid", "resourceVersion", "creationTimestamp"} {
		if value, found, _ := unstructured.NestedString(parent.Object, "metadata", name); found {
			_ = unstructured.SetNestedField(live.Object, value, "metadata", name)
		}
	}
	if replicas, found, _ := unstructured.NestedFieldCopy(parent.Object, "spec", "replicas"); found {
		_ = unstructured.SetNestedField(live.Object, replicas, "spec", "replicas")
	}
	withoutZero(live)
	live.SetManagedFields(entries)
	if asks.Do == "update" {
		merged := live.DeepCopy()
		if replicas, found, _ := unstructured.NestedFieldCopy(scale.Object, "spec", "replicas"); found {
			_ = unstructured.SetNestedField(merged.Object, replicas, "spec", "replicas")
		}
		withoutZero(merged)
		scale = merged
	}
	before := live.DeepCopy()
	stored, err := managed(manager, asks, live, scale)
	if err != nil {
		return nil, err
	}
	if kind.Custom && kind.File != "" && asks.Do == "apply" && !reflect.DeepEqual(before.Object["spec"], stored.Object["spec"]) {
		return nil, errors.New("request to convert CR to an invalid group/version: autoscaling/v1")
	}
	updated, err := handler.ToParent(stored.GetManagedFields())
	if err != nil {
		return nil, err
	}
	result := parent.DeepCopy()
	replicas, scaled, _ := unstructured.NestedFieldCopy(stored.Object, "spec", "replicas")
	if !scaled {
		replicas = int64(0)
	}
	if old, _, _ := unstructured.NestedFieldNoCopy(result.Object, "spec", "replicas"); scaled && replicas != int64(0) || old != nil && old != int64(0) {
		_ = unstructured.SetNestedField(result.Object, replicas, "spec", "replicas")
	}
	setTimesOf(updated, asks.Time)
	result.SetManagedFields(updated)
	keepTimes(result, parent)
	return result, nil
}

// withoutZero leaves out what Go does not print of a Scale.
func withoutZero(scale *unstructured.Unstructured) {
	spec := map[string]any{}
	if replicas, _, _ := unstructured.NestedFieldNoCopy(scale.Object, "spec", "replicas"); replicas != nil && replicas != int64(0) {
		spec["replicas"] = replicas
	}
	scale.Object["spec"] = spec
}

func setTimesOf(entries []metav1.ManagedFieldsEntry, asked string) {
	holder := &unstructured.Unstructured{Object: map[string]any{}}
	holder.SetManagedFields(entries)
	setTimes(holder, asked)
	copy(entries, holder.GetManagedFields())
}
