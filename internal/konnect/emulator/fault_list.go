package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// ofLists reports whether a fault is one of lists.
func ofLists(fault string) bool {
	return fault == faultCutPage || fault == faultNullData || fault == faultRepeatPage
}

// serveList answers a list with something wrong. Answers that are not lists, or
// in which nobody could notice it, stay as they are.
func (s *Server) serveList(w http.ResponseWriter, r *http.Request, f *injector, fault string) (op, made string) {
	note := func(h http.Header) {
		made = fault
		h.Set(FaultHeader, fault)
		f.count(fault)
	}
	if fault == faultRepeatPage {
		if first, ok := firstPage(r.URL); ok {
			r = r.Clone(r.Context())
			r.URL = first
			note(w.Header())
		}
		return s.serve(w, r, nil), made
	}
	op = s.serve(w, r, func(h http.Header, c *model.Call, a model.Answer) model.Answer {
		body, ok := spoilList(c.Op, a.Body, fault)
		if ok {
			a.Body = body
			note(h)
		}
		return a
	})
	return op, made
}

// count notes that a fault was made.
func (f *injector) count(fault string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made[fault]++
}

// firstPage leads to the first page of a list in place of a later one.
func firstPage(u *url.URL) (*url.URL, bool) {
	q := u.Query()
	later := q.Get("page[after]") != "" || q.Get("offset") != "" || q.Has("page[number]") && q.Get("page[number]") != "1"
	for _, name := range []string{"page[after]", "page[number]", "offset"} {
		q.Del(name)
	}
	out := *u
	out.RawQuery = q.Encode()
	return &out, later
}

// spoilList returns a page without items, or with null in their place.
func spoilList(op *contract.Operation, body any, fault string) (any, bool) {
	property, _, ok := op.Envelope()
	if !ok || op.Method != http.MethodGet {
		return body, false
	}
	if property == "" {
		return json.RawMessage("null"), fault == faultNullData
	}
	m, ok := body.(map[string]any)
	items, isList := m[property].([]any)
	if !ok || !isList {
		return body, false
	}
	out := maps.Clone(m)
	if fault == faultNullData {
		out[property] = nil
		return out, true
	}
	left, ok := cutItems(op, m, items)
	out[property] = left
	return out, ok
}

// cutItems leaves half of the items out where the list says how many there are,
// and all where it says only that more pages follow.
func cutItems(op *contract.Operation, body map[string]any, items []any) ([]any, bool) {
	meta, _ := body["meta"].(map[string]any)
	page, _ := meta["page"].(map[string]any)
	more := meta["next"] != nil || page["next"] != nil || body["offset"] != nil
	switch {
	case len(items) == 0:
		return items, false
	case page["total"] != nil:
		return items[:len(items)/2], true
	default:
		return []any{}, more && op.Paging() != contract.PagingNone
	}
}
