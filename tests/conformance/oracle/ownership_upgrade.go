package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
)

// upgrade hands the fields of client-side managers over to a manager that applies, as `kubectl apply --server-side` does.
func upgrade(asked *request) (call, error) {
	var asks struct {
		Live        json.RawMessage `json:"live"`
		From        []string        `json:"from"`
		To          string          `json:"to"`
		Subresource string          `json:"subresource"`
	}
	if err := json.Unmarshal(asked.Write, &asks); err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		live, err := objectOf(asks.Live)
		if err != nil {
			return nil, err
		}
		options := []csaupgrade.Option{}
		if asks.Subresource != "" {
			options = append(options, csaupgrade.Subresource(asks.Subresource))
		}
		if err := csaupgrade.UpgradeManagedFields(live, sets.New(asks.From...), asks.To, options...); err != nil {
			return nil, err
		}
		return encoded(live.Object), nil
	}, nil
}
