package cli

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

// world is all that the program takes from its surroundings.
type world struct {
	streams *streams
	env     func(string) (string, bool)
	// environ is the whole environment, for programs that are run.
	environ func() []string
	workDir func() (string, error)
	home    func() (string, error)
	now     func() time.Time
	// random is where names that nobody chose come from.
	random io.Reader
	// after is the clock that waiting goes by.
	after func(time.Duration) <-chan time.Time
	// interrupts says when a run must end at once; nil never.
	interrupts *interrupts
	// spawn starts this program again, detached, with its output in a file.
	spawn func(args []string, output *os.File) (local.Process, error)
	// terminate asks another process to end.
	terminate func(pid int) error
	// gone tells that there is no such process.
	gone func(pid int) bool
	// browse opens a page in the browser of the user.
	browse func(page string) error
	// pager shows a text in a program, page by page; nil where that is not possible.
	pager func(command []string, text []byte) error
	// keyring returns that of this machine, nil where it has no keyring.
	keyring func() auth.Keyring
}

// system is the world of this process.
func system() *world {
	return &world{
		streams:   systemStreams(),
		env:       os.LookupEnv,
		environ:   os.Environ,
		workDir:   os.Getwd,
		home:      os.UserHomeDir,
		now:       time.Now,
		random:    rand.Reader,
		after:     time.After,
		spawn:     local.Spawn,
		terminate: local.Terminate,
		gone:      local.Gone,
		browse:    func(page string) error { return openBrowser(os.LookupEnv, page) },
		pager:     runPager,
		keyring:   func() auth.Keyring { return auth.SystemKeyring(os.LookupEnv) },
	}
}

// variable is an environment variable that is not empty.
func (w *world) variable(name string) string {
	v, _ := w.env(name)
	return v
}

// folder finds a base folder: the variable, else a place below home.
func (w *world) folder(variable string, below ...string) (string, error) {
	if dir := w.variable(variable); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := w.home()
	if err != nil {
		return "", err
	}
	if home == "" {
		return "", errors.New("no home folder is known")
	}
	return filepath.Join(append([]string{home}, below...)...), nil
}
