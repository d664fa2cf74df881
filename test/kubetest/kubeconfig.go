package kubetest

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
)

// Limited is the user, and the context, that may do nothing but what a test
// grants it.
const Limited = "limited"

// Kubeconfig writes a file that leads to url, with the contexts admin (the
// current one) and limited. The namespace is that of both contexts; "" leaves it
// out.
func (s *Server) Kubeconfig(file, url, ca, namespace string) error {
	raw, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	type m = map[string]any
	user := func(name, token string) m { return m{"name": name, "user": m{"token": token}} }
	context := func(user string) m {
		c := m{"cluster": "test", "user": user}
		if namespace != "" {
			c["namespace"] = namespace
		}
		return m{"name": user, "context": c}
	}
	config, err := json.MarshalIndent(m{
		"apiVersion": "v1", "kind": "Config", "current-context": "admin",
		"clusters": []m{{"name": "test", "cluster": m{
			"server": url, "certificate-authority-data": base64.StdEncoding.EncodeToString(raw),
		}}},
		"users":    []m{user("admin", s.token), user(Limited, s.limitedToken)},
		"contexts": []m{context("admin"), context(Limited)},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, append(config, '\n'), 0o600)
}
