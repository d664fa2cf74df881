//go:build linux

package deck_test

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
)

// With a folder in this variable the test binary runs the decK that is written
// there.
const parent = "FAKE_PARENT"

func beParent(dir string) int {
	self, err := os.Executable()
	if err != nil {
		return 99
	}
	r := deck.New(deck.Options{Path: self, Address: "https://us.api.konghq.com", Extra: []string{stage + "=" + dir}})
	_, _ = r.Diff(context.Background(), request(gateway.Sync))
	return 0
}

// Nobody is left to wait for the binary when this program is killed.
func TestTheBinaryEndsWithUs(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Hang: true}}})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), parent+"="+f.dir, "TMPDIR="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var calls []call
	for deadline := time.Now().Add(time.Minute); len(calls) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the binary was not run")
		}
		calls = f.calls("diff")
	}
	t.Cleanup(func() {
		_ = os.RemoveAll(calls[0].Dir)
		for _, pid := range []int{calls[0].Child, calls[0].Pid} {
			_ = syscall.Kill(pid, syscall.SIGKILL) // the child is nobody's any more
		}
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	for deadline := time.Now().Add(time.Minute); alive(calls[0].Pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the binary goes on")
		}
	}
}
