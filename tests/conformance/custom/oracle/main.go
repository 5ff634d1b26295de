// Judges rules of CustomResourceDefinitions with the code of kube-apiserver: one question a line, one answer a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	// Op is "rules" or "definition".
	Op         string          `json:"op"`
	Schema     json.RawMessage `json:"schema"`
	Object     json.RawMessage `json:"object"`
	Old        json.RawMessage `json:"old"`
	Definition json.RawMessage `json:"definition"`
	Previous   json.RawMessage `json:"previous"`
}

func main() {
	reader := bufio.NewScanner(os.Stdin)
	reader.Buffer(make([]byte, 1<<20), 1<<28)
	writer := bufio.NewWriter(os.Stdout)
	for reader.Scan() {
		answer := answered(reader.Bytes())
		line, err := json.Marshal(answer)
		if err != nil {
			line = []byte(`{"failed": "the answer is no JSON"}`)
		}
		_, _ = writer.Write(append(line, '\n'))
		_ = writer.Flush()
	}
	if err := reader.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answered(line []byte) (answer any) {
	defer func() {
		if found := recover(); found != nil {
			answer = map[string]any{"failed": fmt.Sprint(found)}
		}
	}()
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]any{"failed": err.Error()}
	}
	switch asked.Op {
	case "rules":
		return rules(asked)
	case "definition":
		return definition(asked)
	}
	return map[string]any{"failed": "no such op: " + asked.Op}
}
