package main

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	kjson "sigs.k8s.io/json"
)

func jsonThreeWay(asked *request) (call, error) {
	texts, err := documents(asked.LastApplied, asked.Config, asked.Live)
	if err != nil {
		return nil, err
	}
	checks := preconditions(asked)
	return func() ([]byte, error) {
		return jsonmergepatch.CreateThreeWayJSONMergePatch(texts[0], texts[1], texts[2], checks...)
	}, nil
}

// jsonApply does what the API server does: the patch must be an object (or null), then RFC 7386.
func jsonApply(asked *request) (call, error) {
	texts, err := documents(asked.Target, asked.Patch)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		object := map[string]any{}
		if _, err := kjson.UnmarshalStrict(texts[1], &object); err != nil {
			return nil, fmt.Errorf("error decoding patch: %w", err)
		}
		return jsonpatch.MergePatch(texts[0], texts[1])
	}, nil
}
