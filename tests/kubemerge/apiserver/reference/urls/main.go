// Reads URLs as lines of JSON; answers why Go does not parse them, or their parts. See ../../record_reference.py.
// API servers are built with the settings of their Go release, and this program with those of an older one.

//go:debug urlstrictcolons=1
package main

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
)

type row struct {
	URL     string   `json:"url"`
	Error   string   `json:"error,omitempty"`
	Parts   []string `json:"parts,omitempty"`
	User    *string  `json:"user,omitempty"`
	Request string   `json:"request,omitempty"`
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
		answer := row{URL: asked.URL}
		if parsed, err := url.Parse(asked.URL); err != nil {
			answer.Error = err.Error()
		} else {
			answer.Parts = []string{parsed.Scheme, parsed.Host, parsed.RawQuery, parsed.Fragment}
			if parsed.User != nil {
				user := parsed.User.String()
				answer.User = &user
			}
		}
		if _, err := url.ParseRequestURI(asked.URL); err != nil {
			answer.Request = err.Error()
		}
		if err := out.Encode(answer); err != nil {
			panic(err)
		}
	}
}
