package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the picture of the packages")

const pictures = "../../docs/pictures/"

// TestHouse compares the picture of the packages with the import graph; -update
// writes it.
func TestHouse(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := houseSVG(string(page))
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, want)
	if *update {
		if err := os.WriteFile(pictures+"architecture.svg", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(pictures + "architecture.svg"); err != nil || string(got) != string(want) {
		t.Errorf("docs/pictures/architecture.svg is out of date; run make docs (%v)", err)
	}
	if _, err := houseSVG("# No graph"); err == nil {
		t.Error("a page without a graph is taken")
	}
}

func TestTerminal(t *testing.T) {
	got := terminalSVG("\x1b[1mbold\x1b[0m <plain>\n\x1b[31mred\x1b[39m & \x1b[2mdim\n")
	wellFormed(t, got)
	for _, part := range []string{
		`<tspan font-weight="bold">bold</tspan><tspan> &lt;plain&gt;</tspan>`,
		`<tspan fill="#ff7b72">red</tspan><tspan> &amp; </tspan><tspan opacity="0.7">dim</tspan>`,
	} {
		if !strings.Contains(string(got), part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
}

// TestPictures asserts that the pictures are small, and show no folder of the
// machine that they were made on.
func TestPictures(t *testing.T) {
	found, err := os.ReadDir(pictures)
	if err != nil || len(found) != 3 {
		t.Fatalf("%d pictures, %v", len(found), err)
	}
	for _, f := range found {
		raw, err := os.ReadFile(pictures + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > maxBytes {
			t.Errorf("%s has %d bytes, more than %d", f.Name(), len(raw), maxBytes)
		}
		if strings.Contains(string(raw), "/tmp/") || strings.Contains(string(raw), "/home/") {
			t.Errorf("%s shows a folder of a machine", f.Name())
		}
	}
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
