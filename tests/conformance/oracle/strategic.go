package main

import (
	"encoding/json"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func twoWay(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.Original, asked.Modified)
	if err != nil {
		return nil, err
	}
	checks := preconditions(asked)
	return func() ([]byte, error) {
		return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(texts[0], texts[1], meta, checks...)
	}, nil
}

func threeWay(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.LastApplied, asked.Config, asked.Live)
	if err != nil {
		return nil, err
	}
	checks := preconditions(asked)
	overwrite := asked.Overwrite == nil || *asked.Overwrite
	return func() ([]byte, error) {
		return strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], meta, overwrite, checks...)
	}, nil
}

func apply(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.Target, asked.Patch)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(texts[0], texts[1], meta)
	}, nil
}

func mergePatches(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.First, asked.Second)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		first, second, err := decodedPair(texts)
		if err != nil {
			return nil, err
		}
		merged, err := strategicpatch.MergeStrategicMergeMapPatchUsingLookupPatchMeta(meta, first, second)
		if err != nil {
			return nil, err
		}
		return json.Marshal(merged)
	}, nil
}

func conflicts(asked *request) (call, error) {
	meta, texts, err := schemaAnd(asked, asked.Left, asked.Right)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		left, right, err := decodedPair(texts)
		if err != nil {
			return nil, err
		}
		found, err := strategicpatch.MergingMapsHaveConflicts(left, right, meta)
		if err != nil {
			return nil, err
		}
		return json.Marshal(found)
	}, nil
}

func schemaAnd(asked *request, raws ...json.RawMessage) (strategicpatch.LookupPatchMeta, [][]byte, error) {
	meta, err := schemaOf(asked.Schema)
	if err != nil {
		return nil, nil, err
	}
	texts, err := documents(raws...)
	return meta, texts, err
}

// decodedPair reads two patches as the byte-level functions of the reference read theirs.
func decodedPair(texts [][]byte) (map[string]any, map[string]any, error) {
	pair := [2]map[string]any{{}, {}}
	for i, text := range texts {
		if len(text) == 0 {
			continue
		}
		if err := utiljson.Unmarshal(text, &pair[i]); err != nil {
			return nil, nil, mergepatch.ErrBadJSONDoc
		}
	}
	return pair[0], pair[1], nil
}

// preconditions are those which kubectl hands to the JSON merge patch path, when the request wants them.
func preconditions(asked *request) []mergepatch.PreconditionFunc {
	if !asked.Preconditions {
		return nil
	}
	return []mergepatch.PreconditionFunc{
		mergepatch.RequireKeyUnchanged("apiVersion"),
		mergepatch.RequireKeyUnchanged("kind"),
		mergepatch.RequireMetadataKeyUnchanged("name"),
	}
}
