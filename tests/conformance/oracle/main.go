// Command oracle answers questions about merges by asking the Kubernetes libraries themselves.
//
// It reads one JSON request a line from standard input and writes one JSON answer a line to standard
// output, in the same order. See request.go for the words of both.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log"
	"os"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// serve answers every line until the input ends. Lines may be of any length.
func serve(input io.Reader, output io.Writer) error {
	reader := bufio.NewReaderSize(input, 1<<20)
	writer := bufio.NewWriterSize(output, 1<<16)
	for {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if _, err := writer.Write(append(answer(line), '\n')); err != nil {
				return err
			}
		}
		// Whoever asks one question and waits must get the answer; a pipelining caller gets big writes.
		if reader.Buffered() == 0 || err != nil {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
