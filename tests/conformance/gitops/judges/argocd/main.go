// A program that compares and syncs objects as Argo CD's application controller does. It reads one JSON request a line
// and prints one JSON response a line. KUBECONFIG names the server.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/tracing"
	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 1000, 1000
	config.WarningHandler = rest.NoWarnings{}
	c := &controller{config: config, kubectl: &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}}
	if _, c.parser, err = c.kubectl.LoadOpenAPISchema(config); err != nil {
		return err
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 1<<20), 1<<28)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var asked request
		if err := json.Unmarshal(input.Bytes(), &asked); err != nil {
			return err
		}
		if err := output.Encode(c.reconcile(context.Background(), asked)); err != nil {
			return err
		}
	}
	return input.Err()
}
