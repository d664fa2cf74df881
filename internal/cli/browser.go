package cli

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
)

// errNoBrowser says that no page can be opened here.
var errNoBrowser = errors.New("no browser was found")

// openBrowser opens a page in the browser of the user, which outlives this
// program. Only pages of the web are opened, never files or programs.
func openBrowser(env func(string) (string, bool), page string) error {
	if u, err := url.Parse(page); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("%q is not the address of a page", page)
	}
	set := func(name string) bool { v, _ := env(name); return v != "" }
	var command []string
	switch {
	case set("BROWSER"):
		program, _ := env("BROWSER")
		command = []string{program}
	case runtime.GOOS == "darwin":
		command = []string{"open"}
	case runtime.GOOS == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case set("DISPLAY"), set("WAYLAND_DISPLAY"):
		command = []string{"xdg-open"}
	default:
		return errNoBrowser
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return errNoBrowser
	}
	cmd := exec.Command(command[0], append(command[1:], page)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open the browser: %w", err)
	}
	return cmd.Process.Release()
}
