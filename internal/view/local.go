package view

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
)

// LocalStatus is the state of the embedded Konnect of one data folder.
type LocalStatus struct {
	Running bool   `json:"running"`
	Address string `json:"address,omitempty"`
	PID     int    `json:"pid,omitempty"`
	// Intercept tells how unmodified clients of Konnect are led here.
	Intercept *LocalIntercept `json:"intercept,omitempty"`
	Data      string          `json:"data"`
	Resources map[string]int  `json:"resources"`
	Requests  map[string]int  `json:"requests"`
}

// LocalIntercept is the proxy that leads clients of Konnect to the embedded one,
// and the file with the certificate that they must trust.
type LocalIntercept struct {
	Proxy       string `json:"proxy"`
	Certificate string `json:"certificate"`
}

// WriteLocalStatus renders the state for people.
func WriteLocalStatus(w io.Writer, s LocalStatus) error {
	out := bufio.NewWriter(w)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) } // Flush tells
	if s.Running {
		line("Running:    yes, at %s (process %d)", printable(s.Address), s.PID)
	} else {
		line("Running:    no")
	}
	if s.Intercept != nil {
		line("Intercept:  HTTPS_PROXY=%s", printable(s.Intercept.Proxy))
		line("            SSL_CERT_FILE=%s", printable(s.Intercept.Certificate))
	}
	line("Data:       %s", printable(s.Data))
	line("Resources:  %d", sum(s.Resources))
	table(line, s.Resources)
	if s.Running {
		line("Requests:   %d", sum(s.Requests))
		table(line, s.Requests)
	}
	return out.Flush()
}

func table(line func(string, ...any), counts map[string]int) {
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		line("  %6d  %s", counts[k], printable(k))
	}
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
