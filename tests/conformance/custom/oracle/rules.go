package main

import (
	"context"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

const budget = 1 << 60

type ruleAnswer struct {
	Error        string   `json:"error,omitempty"`
	Estimated    uint64   `json:"estimated"`
	MessageError string   `json:"messageError,omitempty"`
	MessageCost  uint64   `json:"messageEstimated,omitempty"`
	UsesOldSelf  bool     `json:"usesOldSelf,omitempty"`
	Problems     []string `json:"problems,omitempty"`
	Cost         int64    `json:"cost"`
}

// rules answers for each rule at the root of a schema what it costs, and what it says of the object.
func rules(asked question) any {
	var external v1.JSONSchemaProps
	if err := json.Unmarshal(asked.Schema, &external); err != nil {
		return map[string]any{"failed": err.Error()}
	}
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil); err != nil {
		return map[string]any{"failed": err.Error()}
	}
	schema, err := structural.NewStructural(&internal)
	if err != nil {
		return map[string]any{"failed": err.Error()}
	}
	environments := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	compiled, err := cel.Compile(schema, model.SchemaDeclType(schema, true), celconfig.PerCallLimit, environments, cel.NewExpressionsEnvLoader())
	if err != nil {
		return map[string]any{"failed": err.Error()}
	}
	answers := []ruleAnswer{}
	object, old := value(asked.Object), value(asked.Old)
	for place, one := range compiled {
		answer := ruleAnswer{Estimated: one.MaxCost, MessageCost: one.MessageExpressionMaxCost, UsesOldSelf: one.UsesOldSelf}
		if one.Error != nil {
			answer.Error = one.Error.Detail
		}
		if one.MessageExpressionError != nil {
			answer.MessageError = one.MessageExpressionError.Detail
		}
		if one.Error == nil && object != nil {
			alone := *schema
			alone.XValidations = alone.XValidations[place : place+1]
			validator := cel.NewValidator(&alone, true, celconfig.PerCallLimit)
			problems, left := validator.Validate(context.Background(), nil, &alone, object, old, budget)
			for _, problem := range problems {
				answer.Problems = append(answer.Problems, problem.Error())
			}
			answer.Cost = budget - left
			if left < 0 {
				answer.Cost = -1
			}
		}
		answers = append(answers, answer)
	}
	return map[string]any{"rules": answers}
}

// value reads JSON with the types of numbers that a server gives them.
func value(text json.RawMessage) any {
	if len(text) == 0 {
		return nil
	}
	var found any
	if err := utiljson.Unmarshal(text, &found); err != nil {
		panic(err)
	}
	return found
}
