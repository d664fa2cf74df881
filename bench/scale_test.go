package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/kubetest"
)

// Whole commands by the built program, on few resources and on four times as many: what
// they take of the processor and the memory. The floor is four times what few take, so a
// part of_floor near 1 is linear, and near 4 is quadratic.
func BenchmarkScale(b *testing.B) {
	program, err := kubetest.Build(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	const few, many = 2000, 8000
	type use struct {
		cpu  time.Duration
		size float64 // MB
	}
	took := map[string]map[int]use{}
	for b.Loop() {
		for _, n := range []int{few, many} {
			dir := b.TempDir()
			for name, text := range map[string]string{"first.yaml": apis(n, "first"), "then.yaml": apis(n, "then")} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			env := append(os.Environ(), "KONGCTL_LOCAL_DATA="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
			for _, row := range []struct{ name, args string }{
				{"create_plan", "plan -f first.yaml --output-file create.json"},
				{"create_run", "sync --plan create.json --auto-approve"},
				{"no_change_plan", "plan -f first.yaml"},
				{"update_plan", "plan -f then.yaml --output-file update.json"},
				{"update_run", "sync --plan update.json --auto-approve"},
				{"inverse_plan", "plan --inverse update.json"},
				{"export", "export --output-file export.yaml"},
				{"ignoring_plan", "plan -f then.yaml --mode delete --ignore-refs a1"},
				{"delete_plan", "plan -f then.yaml --mode delete --output-file delete.json"},
				{"delete_run", "delete --plan delete.json --auto-approve"},
			} {
				cmd := exec.Command(program, append(strings.Fields(row.args), "--local")...)
				cmd.Dir, cmd.Env = dir, env
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%s: %v\n%.2000s", row.args, err, out)
				}
				if took[row.name] == nil {
					took[row.name] = map[int]use{}
				}
				now := took[row.name][n]
				now.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					now.size = max(now.size, float64(usage.Maxrss)/1024)
				}
				took[row.name][n] = now
			}
		}
	}
	for name, of := range took {
		b.ReportMetric(of[many].cpu.Seconds()/float64(b.N), name+"_s")
		b.ReportMetric(float64(of[many].cpu)/float64(of[few].cpu)/(many/few), name+"_of_floor")
		b.ReportMetric(of[many].size, name+"_MB")
	}
}

// apis are APIs, a version and a document with each, n resources in all.
func apis(n int, description string) string {
	var out strings.Builder
	out.WriteString("apis:\n")
	for i := range n / 3 {
		fmt.Fprintf(&out, "- {ref: a%d, name: api %d, description: %s, versions: [{ref: v%d, version: 1.0.0}], documents: [{ref: d%d, title: Start, content: text}]}\n", i, i, description, i, i)
	}
	return out.String()
}
