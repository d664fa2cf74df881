//go:build !nonative

package native

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/client"
)

type answering func(*http.Request) int

func (a answering) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a(req), Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(strings.NewReader("{}")),
	}, nil
}

// Nothing is deleted after a change failed, however fast the library goes on:
// its deletes may begin before it takes notice of a failure.
func TestNoDeletesAfterAFailure(t *testing.T) {
	deleted := false
	c, err := client.New(client.Config{
		BaseURL: "http://127.0.0.1:1", Token: "kpat_token",
		Transport: answering(func(req *http.Request) int {
			switch req.Method {
			case http.MethodPut:
				return http.StatusBadRequest
			case http.MethodDelete:
				deleted = true
			}
			return http.StatusOK
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(c, "id")
	send := func(method string) error {
		req, err := http.NewRequestWithContext(t.Context(), method, g.base+"/services/x", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := g.doer(t.Context())(t.Context(), nil, req)
		if err == nil {
			_ = res.Body.Close()
		}
		return err
	}
	if err := send(http.MethodPut); err == nil || errors.Is(err, errHeld) {
		t.Fatalf("the refusal: %v", err)
	}
	if err := send(http.MethodDelete); !errors.Is(err, errHeld) || deleted {
		t.Errorf("after it: %v, sent: %v", err, deleted)
	}
	g.setFailed(false)
	if err := send(http.MethodDelete); err != nil || !deleted {
		t.Errorf("the next pass: %v, sent: %v", err, deleted)
	}
}
