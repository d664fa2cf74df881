package deck

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/pattern"
)

// NotFoundError tells that there is no binary.
type NotFoundError struct {
	// Path is where it was said to be; "" for anywhere on PATH.
	Path string
}

func (e *NotFoundError) Error() string {
	if e.Path != "" {
		return "deck binary not found at " + e.Path
	}
	return "deck binary not found on PATH"
}

// VersionError tells of a binary that is too old, too new, or not decK.
type VersionError struct {
	Path string
	// Version is what it says of itself, "" when that is no version.
	Version string
}

func (e *VersionError) Error() string {
	if e.Version == "" {
		return e.Path + " does not say which version of decK it is; supported are " + supported
	}
	return fmt.Sprintf("%s is decK %s; supported are %s", e.Path, e.Version, supported)
}

const (
	supported = "1.40 and later, below 2"
	minMinor  = 40

	versionTime = 30 * time.Second
)

// binary is where the binary is, once that was looked for.
type binary struct {
	mu   sync.Mutex
	done bool
	path string
	err  error
}

// binary looks for the binary the first time. A look that was stopped does not
// count.
func (r *runner) binary(ctx context.Context) (string, error) {
	r.found.mu.Lock()
	defer r.found.mu.Unlock()
	if r.found.done {
		return r.found.path, r.found.err
	}
	path, err := r.find(ctx)
	if ctx.Err() == nil {
		r.found.done, r.found.path, r.found.err = true, path, err
	}
	return path, err
}

// find looks for the binary and asks for its version.
func (r *runner) find(ctx context.Context) (string, error) {
	path, err := r.look()
	if err != nil {
		return "", err
	}
	if err := r.checkAddress(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	out, err := r.execute(ctx, command{path: path, args: []string{"version"}})
	if err != nil && ctx.Err() == nil {
		return "", &VersionError{Path: path} // another program does not know this command
	}
	if err != nil {
		return "", fmt.Errorf("deck version: %w", context.Cause(ctx))
	}
	return path, checkVersion(path, string(out.stdout))
}

func (r *runner) look() (string, error) {
	if r.Path != "" {
		path, err := filepath.Abs(r.Path)
		if err != nil {
			return "", err
		}
		if _, err := exec.LookPath(path); err != nil {
			return "", &NotFoundError{Path: r.Path}
		}
		return path, nil
	}
	list, _ := r.lookup("PATH")
	for _, dir := range filepath.SplitList(list) {
		// The current folder is not a place for programs.
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, "deck")); err == nil {
			return path, nil
		}
	}
	return "", &NotFoundError{}
}

func (r *runner) lookup(name string) (string, bool) {
	if r.Env == nil {
		return "", false
	}
	return r.Env(name)
}

var versionPattern = pattern.New(`decK v?((\d+)\.(\d+)\.\d+\S*)`)

func checkVersion(path, printed string) error {
	m := versionPattern.FindStringSubmatch(printed)
	if m == nil {
		return &VersionError{Path: path}
	}
	major, _ := strconv.Atoi(m[2])
	minor, _ := strconv.Atoi(m[3])
	if major != 1 || minor < minMinor {
		return &VersionError{Path: path, Version: m[1]}
	}
	return nil
}

// checkAddress keeps the token from Konnect when it is meant for another host:
// the binary authenticates at Konnect's, whatever address it is given.
func (r *runner) checkAddress() error {
	u, err := url.Parse(r.Address)
	if err != nil || u.Scheme != "https" || !strings.HasSuffix(u.Hostname(), ".konghq.com") && !strings.HasSuffix(u.Hostname(), ".konghq.tech") {
		return errors.New("decK's binary reaches Konnect's own hosts alone, and " + r.Address + " is not one of them; use --deck-mode native")
	}
	return nil
}
