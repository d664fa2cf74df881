package deck

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/process"
)

// command is one run of the binary.
type command struct {
	path  string
	args  []string
	stdin []byte
	// token is handed over where only the binary can see it.
	token string
}

type output struct{ stdout, stderr []byte }

const defaultGrace = 5 * time.Second

// gateway runs "deck gateway OP" on a state, again while the binary does not see
// the control plane: it then did nothing.
func (r *runner) gateway(ctx context.Context, q gateway.Request, op string, args []string, root map[string]any) (output, error) {
	for try := 0; ; try++ {
		out, err := r.once(ctx, q, op, args, root)
		if !client.IsNotFound(err) || try == tries-1 {
			return out, err
		}
		if err := r.sleep(ctx, try); err != nil {
			return out, r.fail(q, op, 0, "it was stopped", err)
		}
	}
}

func (r *runner) once(ctx context.Context, q gateway.Request, op string, args []string, root map[string]any) (output, error) {
	path, err := r.binary(ctx)
	if err != nil {
		return output{}, r.fail(q, op, 0, err.Error(), err)
	}
	content, err := gateway.Encode(root)
	if err != nil {
		return output{}, r.fail(q, op, 0, err.Error(), err)
	}
	if op != "dump" {
		args = append(args[:len(args):len(args)], "-")
	}
	args = append([]string{
		"gateway", op,
		// A variable or a file of settings that named another address would
		// lead the binary away from Konnect.
		"--kong-addr=http://localhost:8001", "--konnect-addr=" + strings.TrimRight(r.Address, "/"),
		"--analytics=false", "--no-color",
	}, args...)
	out, err := r.execute(ctx, command{path: path, args: args, stdin: content, token: r.take(ctx)})
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return out, r.fail(q, op, 0, "it was stopped", context.Cause(ctx))
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return out, r.fail(q, op, exit.ExitCode(), out.message(), nil)
	}
	return out, r.fail(q, op, 0, err.Error(), err)
}

// message is what the binary said before it failed. Some of it goes to standard
// output.
func (o output) message() string {
	for _, text := range [][]byte{o.stderr, o.stdout} {
		if s := strings.TrimSpace(string(text)); s != "" {
			return strings.TrimPrefix(s, "Error: ")
		}
	}
	return "it did not say why"
}

// take returns the token for the binary, and remembers it.
func (r *runner) take(ctx context.Context) string {
	if r.Token == nil {
		return ""
	}
	token := r.Token(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.tokens, token) {
		r.tokens = append(r.tokens, token)
	}
	return token
}

// given are the tokens that no message may show.
func (r *runner) given() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tokens)
}

// execute runs the binary in an empty folder of its own, which is its home, too.
func (r *runner) execute(ctx context.Context, c command) (out output, err error) {
	dir, err := os.MkdirTemp("", "kongctl-deck-")
	if err != nil {
		return output{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	settings := filepath.Join(dir, "settings.yaml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		return output{}, err
	}
	cmd := exec.CommandContext(ctx, c.path, append(c.args, "--config="+settings)...)
	cmd.Dir, cmd.Env = dir, r.environment(dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.stdin), &stdout, &stderr
	closeToken, err := handOver(cmd, c.token)
	if err != nil {
		return output{}, err
	}
	defer closeToken()
	err = process.Run(ctx, cmd, cmp.Or(r.Grace, defaultGrace))
	return output{stdout.Bytes(), stderr.Bytes()}, err
}

// kept are the variables that the binary gets of ours.
var kept = []string{"PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}

func (r *runner) environment(dir string) []string {
	env := []string{"HOME=" + dir, "TMPDIR=" + dir, "USERPROFILE=" + dir, "TMP=" + dir, "TEMP=" + dir}
	for _, name := range kept {
		for _, n := range []string{name, strings.ToLower(name)} {
			if v, ok := r.lookup(n); ok && n != "path" {
				env = append(env, n+"="+v)
			}
		}
	}
	if v, ok := r.lookup("SYSTEMROOT"); ok {
		env = append(env, "SYSTEMROOT="+v)
	}
	return append(env, r.Extra...)
}
