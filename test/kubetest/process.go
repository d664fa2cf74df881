package kubetest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// process is a program that runs until it is ended.
type process struct {
	name, log string
	cmd       *exec.Cmd
	done      chan struct{} // closed once err is final
	err       error
}

// start runs one of the programs with its output in a file.
func start(log, name string, args ...string) (*process, error) {
	bin, err := Program(name)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, log: log, cmd: exec.Command(bin, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.SysProcAttr = out, out, dieWithParent()
	started := make(chan error)
	go func() {
		// The system ends the program when the thread that started it ends, so
		// the thread stays until then.
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	err = <-started
	return p, errors.Join(err, out.Close())
}

// kill ends the process and waits for its end. A process that never started has
// ended already.
func (p *process) kill() {
	if p == nil || p.cmd.Process == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.done
}

// await waits until an address answers with 200.
func (p *process) await(client *http.Client, url, token string) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		err := probe(client, url, token)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended before it answered: %w\n%s", p.name, p.err, tail(p.log))
		case <-deadline.C:
			return fmt.Errorf("%s does not answer: %w\n%s", p.name, err, tail(p.log))
		case <-tick.C:
		}
	}
}

func probe(client *http.Client, url, token string) error {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	return nil
}

// tail is the end of a log.
func tail(file string) []byte {
	raw, err := os.ReadFile(file)
	if err != nil {
		return []byte(err.Error())
	}
	return raw[max(0, len(raw)-4096):]
}

// Program is the path of a program that `make kube` has built.
func Program(name string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(root, ".cache", "kube", name)
	if _, err := os.Stat(bin); err != nil {
		return "", fmt.Errorf("%s is missing: run make kube", bin)
	}
	return bin, nil
}

// Build builds the program that is tested, as users get it.
func Build(dir string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "kongctl")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/kongctl")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/kongctl: %w\n%s", err, out)
	}
	return bin, nil
}

// Root is the folder of the module that the current folder is in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the current folder")
		}
		dir = parent
	}
}
