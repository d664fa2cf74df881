package kubetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Object is an object of the API as it came.
type Object = map[string]any

// StatusError is an answer of the API server that is not a success.
type StatusError struct {
	Method, Path, Message string
	Code                  int
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s %s: %d %s", e.Method, e.Path, e.Code, e.Message)
}

// Do sends a request as the administrator. A body is JSON; that of a PATCH is a
// merge patch.
func (s *Server) Do(method, path string, body any) (Object, error) {
	form := "application/json"
	if method == http.MethodPatch {
		form = "application/merge-patch+json"
	}
	return s.send(method, path, form, body)
}

// Apply applies an object on the side of the server.
func (s *Server) Apply(path string, o Object) (Object, error) {
	return s.send(http.MethodPatch, path+"?fieldManager=kubetest&force=true", "application/apply-patch+yaml", o)
}

func (s *Server) send(method, path, form string, body any) (Object, error) {
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, s.url+path, in)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", form)
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	out := Object{}
	err = json.Unmarshal(raw, &out)
	if res.StatusCode >= 300 {
		message, ok := out["message"].(string)
		if !ok {
			message = string(raw)
		}
		return nil, &StatusError{Method: method, Path: path, Message: message, Code: res.StatusCode}
	}
	return out, err
}

// Items are the objects at the address of a list.
func (s *Server) Items(path string) ([]Object, error) {
	list, err := s.Do(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	raw, _ := list["items"].([]any)
	out := make([]Object, 0, len(raw))
	for _, item := range raw {
		if o, ok := item.(Object); ok {
			out = append(out, o)
		}
	}
	return out, nil
}

// Namespace makes a namespace whose name nobody else has.
func (s *Server) Namespace(prefix string) (string, error) {
	name := Name(prefix)
	_, err := s.Do(http.MethodPost, "/api/v1/namespaces", Object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": Object{"name": name},
	})
	return name, err
}

// Name is a name that nobody else has.
func Name(prefix string) string { return prefix + "-" + secret()[:6] }

// Await asks until a condition holds.
func Await(what string, limit time.Duration, holds func() (bool, error)) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := holds()
		if ok {
			return nil
		}
		select {
		case <-deadline.C:
			return errors.Join(fmt.Errorf("not after %s: %s", limit, what), err)
		case <-tick.C:
		}
	}
}
