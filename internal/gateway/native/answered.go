//go:build !nonative

package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/client"
)

// answered checks an answer to a read before the library has it: that takes whatever
// is missing for nothing that exists.
func (g *gate) answered(req *http.Request, res *http.Response) (*http.Response, error) {
	at := req.URL.EscapedPath()
	if req.Method != http.MethodGet || isSchema(at) {
		return res, nil
	}
	raw, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read to its end
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(raw))
	if at = at[max(0, strings.Index(at, "/v2/control-planes/")):]; !g.isList(req) {
		if !isEntity(raw) {
			return nil, &client.AnswerError{Method: req.Method, Path: at, Status: res.StatusCode, Reason: "without an object"}
		}
		return res, nil
	}
	if reason := wrongList(raw); reason != "" {
		return nil, &client.IncompleteError{Method: req.Method, Path: at, Reason: reason}
	}
	return res, nil
}

// isList reports whether a read asks for a list: the library asks for pages of one.
func (g *gate) isList(req *http.Request) bool {
	list, below := strings.CutPrefix(req.URL.Scheme+"://"+req.URL.Host+req.URL.Path, g.base+"/")
	return req.URL.Query().Has("size") || below && !strings.Contains(list, "/")
}

// wrongList returns what is wrong with a page of a list; "" where nothing is.
func wrongList(raw []byte) string {
	var page map[string]json.RawMessage
	if json.Unmarshal(raw, &page) != nil || page == nil {
		return "the answer is not an object"
	}
	data, there := page["data"]
	var items []map[string]any
	switch err := json.Unmarshal(data, &items); {
	case !there:
		return "data: missing"
	case string(data) == "null":
		return "data: null, not an array"
	case err != nil:
		return "data: not an array of objects"
	}
	for _, item := range items {
		if item == nil {
			return "data: an item is null"
		}
	}
	return ""
}

// isEntity reports whether an answer is an entity, by itself or wrapped.
func isEntity(raw []byte) bool {
	var body map[string]any
	if json.Unmarshal(raw, &body) != nil {
		return false
	}
	if body["id"] != nil {
		return true
	}
	for _, v := range body {
		if inner, isMap := v.(map[string]any); isMap && inner["id"] != nil {
			return true
		}
	}
	return false
}

// unanswered is an error about an answer in few words; "" for another error.
func unanswered(err error) string {
	var list *client.IncompleteError
	var one *client.AnswerError
	switch {
	case errors.As(err, &list):
		return "read " + path.Base(list.Path) + ": incomplete list: " + list.Reason
	case errors.As(err, &one):
		return "read " + path.Base(path.Dir(one.Path)) + ": " + one.Reason
	}
	return ""
}
