//go:build real

package kube

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/test/kubetest"
)

// TestDisturbed asserts that a cluster can be disturbed as the tests of faults
// need it.
func TestDisturbed(t *testing.T) {
	server := ownServer(t, kubetest.Options{})
	namespace, err := server.Namespace("full")
	if err != nil {
		t.Fatal(err)
	}
	configMaps := "/api/v1/namespaces/" + namespace + "/configmaps"
	create := func(name string) error {
		_, err := server.Do(http.MethodPost, configMaps, kubetest.Object{"metadata": kubetest.Object{"name": name}})
		return err
	}

	if err := errors.Join(create("before"), server.FillStorage()); err != nil {
		t.Fatal(err)
	}
	if err := create("full"); err == nil || !strings.Contains(err.Error(), "space exceeded") {
		t.Errorf("a create in a full cluster: %v", err)
	}
	if _, err := server.Do(http.MethodDelete, configMaps+"/before", nil); err != nil {
		t.Errorf("a delete in a full cluster: %v", err)
	}
	if err := errors.Join(server.FreeStorage(), create("after")); err != nil {
		t.Errorf("a create after there is space again: %v", err)
	}

	server.KillAPI()
	if err := create("dead"); err == nil {
		t.Error("a killed API server answers")
	}
	if err := server.StartAPI(); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Do(http.MethodGet, configMaps+"/after", nil); err != nil {
		t.Errorf("a restarted API server has lost its objects: %v", err)
	}
}
