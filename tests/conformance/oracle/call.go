package main

import (
	"encoding/json"
	"fmt"
	"sort"
)

// call is a prepared question: the schema is found and the documents are bytes. It can be run again and again.
type call func() ([]byte, error)

func prepare(asked *request) (call, error) {
	operation, known := operations[asked.Op]
	if !known {
		return nil, fmt.Errorf("unknown op %q", asked.Op)
	}
	return operation(asked)
}

// repeated runs a call at least once. Go walks its maps in random order; when that shows in the answers,
// all of them are reported.
func repeated(run call, times int) outcome {
	first := attempt(run)
	seen := map[string]outcome{string(encoded(first)): first}
	for i := 1; i < times; i++ {
		next := attempt(run)
		seen[string(encoded(next))] = next
	}
	if len(seen) == 1 {
		return first
	}
	texts := make([]string, 0, len(seen))
	for text := range seen {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	all := outcome{}
	for _, text := range texts {
		all.Varies = append(all.Varies, seen[text])
	}
	return all
}

func attempt(run call) (done outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			text := fmt.Sprint(cause)
			done = outcome{Panic: &text}
		}
	}()
	result, err := run()
	if err != nil {
		text := err.Error()
		return outcome{Error: &text}
	}
	if !json.Valid(result) {
		return refusal("the reference answered no JSON: %q", result)
	}
	return outcome{Result: result}
}

// document returns a document's bytes: nil when it is not there, the content when it is a JSON string.
func document(raw json.RawMessage) ([]byte, error) {
	if len(raw) == 0 || raw[0] != '"' {
		return raw, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("cannot read a document's text: %w", err)
	}
	return []byte(text), nil
}

// documents reads several; the first broken one is the error.
func documents(raws ...json.RawMessage) ([][]byte, error) {
	texts := make([][]byte, len(raws))
	for i, raw := range raws {
		text, err := document(raw)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return texts, nil
}
