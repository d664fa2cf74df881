package testkit

import (
	"flag"
	"runtime"
	"strconv"
)

// Crowd lets twice as many tests run at once as there are processors, unless the
// command line says how many: those that call it wait for disks and other programs.
func Crowd() {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0))) // a number fits
	}
}
