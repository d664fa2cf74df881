package laws

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

// TestMain trades memory for time: the laws make many short-lived documents. All
// laws run at once, so what they say together is judged here, after the last one.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(3 << 30)
	testkit.Crowd() // journals wait for the disk
	code := m.Run()
	filter := ""
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		filter += flag.Lookup(name).Value.String()
	}
	if filter == "" && code == 0 { // all laws ran
		say := func(string, ...any) {}
		if testing.Verbose() {
			say = func(format string, args ...any) { _, _ = fmt.Fprintf(os.Stdout, format, args...) }
		}
		for _, wrong := range unwitnessed(say) {
			_, _ = fmt.Fprintln(os.Stdout, "FAIL: every operation is witnessed:", wrong)
			code = 1
		}
		if childDeletes.Load() == 0 {
			_, _ = fmt.Fprintln(os.Stdout, "FAIL: deletes name what they belong to: no child was deleted")
			code = 1
		}
	}
	os.Exit(code) //nolint:forbidigo // what is judged after the last test has no test to fail
}

// Large schemas have hundreds of features and places: a law takes at most this
// many of them for one type, spread over all, so that the time of the laws
// grows with the number of types alone.
const (
	maxFeatures = 16 // of one type
	maxPlaces   = 20 // of one forged plan
)

// spread takes at most n of a list, first and last among them, at even
// distances.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}
