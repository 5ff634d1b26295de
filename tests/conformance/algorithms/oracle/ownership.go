package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
)

// operations are the words of `op`; each prepares a call from a request.
var operations = map[string]func(*request) (call, error){
	"ownership": ownership,
}

func bench(*request) outcome {
	return refusal("this program measures nothing")
}

// fileText reads a file, unpacking it when it is compressed.
func fileText(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
