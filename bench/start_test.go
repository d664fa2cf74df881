package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/kubetest"
)

// Commands that do little, by the built program, one process each. The floor is a
// program that prints one line and holds nothing else; both start in turn.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	program, err := kubetest.Build(dir)
	if err != nil {
		b.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		return path
	}
	line := filepath.Join(dir, "line")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", line, write("line.go", "package main\n\nfunc main() { println(\"line\") }\n"))
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	config := write("portal.yaml", "portals:\n  - name: developers\n")
	home := b.TempDir()
	env := append(os.Environ(), "KONGCTL_LOCAL_DATA="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	took := func(args ...string) time.Duration {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = env
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return time.Since(began)
	}
	for _, row := range []struct {
		name string
		args []string
	}{
		{"version", []string{"version"}},
		{"validate", []string{"validate", "-f", config}},
		{"plan", []string{"plan", "-f", config, "--local"}},
	} {
		b.Run(row.name, func(b *testing.B) {
			var ours, floor time.Duration
			for b.Loop() {
				ours += took(append([]string{program}, row.args...)...)
				floor += took(line)
			}
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "ms")
			b.ReportMetric(float64(ours)/float64(floor), "of_floor")
		})
	}
}
