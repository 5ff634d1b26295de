package main

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// field is what the struct lookup can find out about one JSON field.
type field struct {
	GoType     string   `json:"go_type"`
	Kind       string   `json:"kind"`
	Of         string   `json:"of"`
	Strategies []string `json:"strategies,omitempty"`
	MergeKey   string   `json:"merge_key,omitempty"`
}

// fields answers every field of a Go type and of all types below it: {"root": name, "types": {name: {field: ...}}}.
func fields(asked *request) (call, error) {
	var chosen selector
	if err := json.Unmarshal(asked.Schema, &chosen); err != nil || chosen.Go == nil {
		return nil, errors.New(`fields needs a schema {"go": ...}`)
	}
	object, err := goObject(chosen.Go)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		found := map[string]map[string]field{}
		root := reflect.TypeOf(object).Elem()
		collect(root, found)
		return json.Marshal(map[string]any{"root": root.String(), "types": found})
	}, nil
}

func collect(structure reflect.Type, found map[string]map[string]field) {
	if _, known := found[structure.String()]; known {
		return
	}
	rows := map[string]field{}
	found[structure.String()] = rows
	addFields(structure, rows, found)
}

// addFields also walks embedded structs, whose fields belong to the outer object in JSON.
func addFields(structure reflect.Type, rows map[string]field, found map[string]map[string]field) {
	for i := range structure.NumField() {
		member := structure.Field(i)
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		embedded := pointedTo(member.Type)
		if member.Anonymous && name == "" && embedded.Kind() == reflect.Struct {
			addFields(embedded, rows, found)
			continue
		}
		if name == "" || name == "-" || !member.IsExported() {
			continue
		}
		rows[name] = describe(member, found)
	}
}

func describe(member reflect.StructField, found map[string]map[string]field) field {
	outer := pointedTo(member.Type)
	of := outer
	if outer.Kind() == reflect.Slice || outer.Kind() == reflect.Map {
		of = pointedTo(outer.Elem())
	}
	if of.Kind() == reflect.Struct {
		collect(of, found)
	}
	row := field{
		GoType: member.Type.String(), Kind: outer.Kind().String(), Of: of.String(),
		MergeKey: member.Tag.Get("patchMergeKey"),
	}
	if words := member.Tag.Get("patchStrategy"); words != "" {
		row.Strategies = strings.Split(words, ",")
	}
	return row
}

func pointedTo(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}
