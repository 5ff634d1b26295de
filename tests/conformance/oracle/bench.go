package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sort"
	"time"
)

// timing is how long one call takes, bytes in to bytes out, over several batches.
type timing struct {
	MinNS      float64 `json:"min_ns"`
	MedianNS   float64 `json:"median_ns"`
	Iterations int     `json:"iterations"`
	Processors int     `json:"processors"`
}

const batches = 11

// bench runs a call again and again: once on one processor, and once on all of them, where Go collects
// its garbage beside the work. The schema is found before the clock starts.
func bench(asked *request) outcome {
	var inner request
	if err := json.Unmarshal(asked.Call, &inner); err != nil {
		return refusal("cannot read the call to measure: %v", err)
	}
	run, err := prepare(&inner)
	if err != nil {
		return refusal("%v", err)
	}
	trial := attempt(run)
	if trial.Result == nil {
		return refusal("only a call which succeeds can be measured; this one answers %s", encoded(trial))
	}
	seconds := asked.Seconds
	if seconds <= 0 {
		seconds = 0.5
	}
	all := runtime.GOMAXPROCS(1)
	single := measure(run, seconds)
	runtime.GOMAXPROCS(all)
	return outcome{Result: encoded(map[string]timing{"single": single, "parallel": measure(run, seconds)})}
}

func measure(run call, seconds float64) timing {
	size := batchSize(run, seconds/batches)
	nanoseconds := make([]float64, batches)
	for i := range nanoseconds {
		nanoseconds[i] = float64(timed(run, size).Nanoseconds()) / float64(size)
	}
	sort.Float64s(nanoseconds)
	return timing{
		MinNS:      nanoseconds[0],
		MedianNS:   nanoseconds[batches/2],
		Iterations: batches * size,
		Processors: runtime.GOMAXPROCS(0),
	}
}

// batchSize doubles until the timing of a batch is worth trusting, then scales to the wanted length.
func batchSize(run call, seconds float64) int {
	for size := 1; ; size *= 2 {
		if took := timed(run, size).Seconds(); took > seconds/4 {
			return max(1, int(float64(size)*seconds/took))
		}
	}
}

func timed(run call, times int) time.Duration {
	start := time.Now()
	for range times {
		if _, err := run(); err != nil {
			panic(fmt.Sprintf("a call which had succeeded failed: %v", err))
		}
	}
	return time.Since(start)
}
