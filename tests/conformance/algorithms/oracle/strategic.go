package main

import (
	"encoding/json"
	"errors"

	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// operations are the words of `op`; each prepares a call from a request.
var operations = map[string]func(*request) (call, error){
	"two_way":       twoWay,
	"three_way":     threeWay,
	"apply":         apply,
	"merge_patches": mergePatches,
}

func bench(*request) outcome {
	return refusal("this program measures nothing")
}

// schemaOf knows the test type only: the algorithm is that of all types.
func schemaOf(raw json.RawMessage) (strategicpatch.LookupPatchMeta, error) {
	var chosen struct{ Go string }
	if err := json.Unmarshal(raw, &chosen); err != nil || chosen.Go != "MergeItem" {
		return nil, errors.New("this program knows MergeItem only")
	}
	return strategicpatch.NewPatchMetaFromStruct(&MergeItem{})
}
