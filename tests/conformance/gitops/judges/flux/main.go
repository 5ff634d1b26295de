// A program that applies objects as Flux's kustomize-controller does. It reads one JSON request a line and prints one
// JSON response a line. KUBECONFIG names the server.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	manager, err := newManager()
	if err != nil {
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
		// An object with finalizers is never gone, so the wait for a new one has an end.
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		done := reconcile(ctx, manager, asked)
		cancel()
		if err := output.Encode(done); err != nil {
			return err
		}
	}
	return input.Err()
}

func newManager() (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 1000, 1000
	config.WarningHandler = rest.NoWarnings{}
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{HTTPClient: http, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	owner := ssa.Owner{Field: controller, Group: group}
	return ssa.NewResourceManager(c, polling.NewStatusPoller(c, mapper, polling.Options{}), owner), nil
}
