package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// request is one question. A document is either a raw JSON value, used byte by byte, or a JSON string
// whose content is the document's text: that way `1.0`, an empty text and broken JSON can all be said.
type request struct {
	ID     json.RawMessage `json:"id"`
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	Repeat int             `json:"repeat"`

	Original    json.RawMessage `json:"original"`
	Modified    json.RawMessage `json:"modified"`
	LastApplied json.RawMessage `json:"last_applied"`
	Config      json.RawMessage `json:"config"`
	Live        json.RawMessage `json:"live"`
	Target      json.RawMessage `json:"target"`
	Patch       json.RawMessage `json:"patch"`
	First       json.RawMessage `json:"first"`
	Second      json.RawMessage `json:"second"`
	Left        json.RawMessage `json:"left"`
	Right       json.RawMessage `json:"right"`
	Value       json.RawMessage `json:"value"`
	Types       json.RawMessage `json:"types"`
	Write       json.RawMessage `json:"write"`

	Overwrite     *bool `json:"overwrite"`
	Preconditions bool  `json:"preconditions"`

	Call    json.RawMessage `json:"call"`
	Seconds float64         `json:"seconds"`
}

// outcome is what one call did. Exactly one of its fields is set.
//
// `error` and `panic` are the reference's own words; `refused` is this program's: the question was wrong.
type outcome struct {
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *string         `json:"error,omitempty"`
	Panic   *string         `json:"panic,omitempty"`
	Refused *string         `json:"refused,omitempty"`
	Varies  []outcome       `json:"varies,omitempty"`
}

// reply is an outcome under the number of its request.
type reply struct {
	ID json.RawMessage `json:"id"`
	outcome
}

// answer never fails: what cannot be read is refused under the id null.
func answer(line []byte) []byte {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return encoded(reply{ID: json.RawMessage("null"), outcome: refusal("cannot read the request: %v", err)})
	}
	if asked.ID == nil {
		asked.ID = json.RawMessage("null")
	}
	return encoded(reply{ID: asked.ID, outcome: outcomeOf(&asked)})
}

// outcomeOf also survives a panic outside of a measured or repeated call, such as one while a schema is found.
func outcomeOf(asked *request) (done outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			text := fmt.Sprint(cause)
			done = outcome{Panic: &text}
		}
	}()
	if asked.Op == "bench" {
		return bench(asked)
	}
	call, err := prepare(asked)
	if err != nil {
		return refusal("%v", err)
	}
	return repeated(call, asked.Repeat)
}

func refusal(format string, facts ...any) outcome {
	text := fmt.Sprintf(format, facts...)
	return outcome{Refused: &text}
}

// encoded keeps raw results as they are: no HTML escapes are added to what the reference wrote.
func encoded(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return encoded(reply{ID: json.RawMessage("null"), outcome: refusal("cannot write the answer: %v", err)})
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}
