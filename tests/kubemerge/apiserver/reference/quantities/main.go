// Reads values as lines of JSON; answers how a quantity is printed, or why it is none. See ../../record_reference.py.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

type row struct {
	Value  json.RawMessage `json:"value"`
	Form   string          `json:"form,omitempty"`
	Listed string          `json:"listed,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked row
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		answer, quantity := row{Value: asked.Value}, resource.Quantity{}
		if err := quantity.UnmarshalJSON(asked.Value); err != nil {
			answer.Error = err.Error()
		} else {
			answer.Form = quantity.String()
			quantity.RoundUp(resource.Milli)
			answer.Listed = quantity.String()
		}
		if err := out.Encode(answer); err != nil {
			panic(err)
		}
	}
}
