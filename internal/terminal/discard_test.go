//go:build unix

package terminal_test

import (
	"bufio"
	"io"
	"os"
	"testing"

	"github.com/creack/pty"

	"github.com/kongctl/kongctl/internal/terminal"
)

func TestDiscard(t *testing.T) {
	t.Parallel()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = keyboard.Close(), tty.Close() }()
	echo := bufio.NewReader(keyboard)
	for _, typed := range []string{"y\n", "n\n"} {
		if _, err := io.WriteString(keyboard, typed); err != nil {
			t.Fatal(err)
		}
		if _, err := echo.ReadString('\n'); err != nil { // it has arrived
			t.Fatal(err)
		}
		if typed == "n\n" {
			break
		}
		if err := terminal.Discard(tty); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := bufio.NewReader(tty).ReadString('\n'); got != "n\n" || err != nil {
		t.Errorf("read %q, %v; want what was typed after", got, err)
	}
}

func TestDiscardKeepsPipe(t *testing.T) {
	t.Parallel()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "y\n"); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := terminal.Discard(out); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(out); string(got) != "y\n" || err != nil {
		t.Errorf("read %q, %v; want all of it", got, err)
	}
}
