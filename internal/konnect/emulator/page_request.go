package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/value"
)

// pageRequest is one request of the log. Target is its path and query.
type pageRequest struct{ Clock, Status, Class, Method, Target, Link, Took string }

// requestView is one request with its bodies.
type requestView struct {
	pageRequest
	Number     int
	Bodies     []pageBody
	Prev, Next string
}

// pageBody is a body without its secrets; Note says what is missing.
type pageBody struct{ Title, Text, Note string }

func pageEntry(e entry) pageRequest {
	out := pageRequest{Clock: e.Time.Format("15:04:05"), Method: e.Method, Target: e.target(), Link: requestLink(e.number), Took: e.Duration, Status: strconv.Itoa(e.Status)}
	if d, err := time.ParseDuration(e.Duration); err == nil {
		out.Took = d.Round(10 * time.Microsecond).String()
	}
	switch {
	case e.Fault != "":
		out.Class, out.Status = "bad", strings.TrimPrefix(out.Status+" ", "0 ")+e.Fault
		if out.Status == e.Fault+" "+e.Fault {
			out.Status = e.Fault
		}
	case e.Status >= http.StatusInternalServerError:
		out.Class = "bad"
	case e.Status >= http.StatusBadRequest:
		out.Class = "warn"
	}
	return out
}

func requestLink(number int) string { return requestPath + "?n=" + strconv.Itoa(number) }

// target is the path of a request with its query, without secrets; escapes that
// only make it hard to read are taken out.
func (e entry) target() string {
	if e.query == "" {
		return e.Path
	}
	var parts []string
	for part := range strings.SplitSeq(e.query, "&") {
		name, text, given := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if plain, err := url.QueryUnescape(text); err == nil && !strings.ContainsAny(plain, "&=#") {
			text = plain
		}
		if value.MentionsSecret(name) {
			text = model.Hidden
		}
		if given {
			name += "=" + text
		}
		parts = append(parts, name)
	}
	return e.Path + "?" + strings.Join(parts, "&")
}

// request shows one request with its bodies.
func (p page) request(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.URL.Query().Get("n"))
	e, ok := p.s.requests.find(number)
	if err != nil || !ok {
		p.s.reply.problem(w, model.Refuse(http.StatusNotFound, "The log does not have this request; it keeps the last %d", recentRequests))
		return
	}
	view := &requestView{pageRequest: pageEntry(e), Number: number}
	mask := p.s.m.Mask(e.Method, e.escaped)
	none := func(string) bool { return false }
	view.Bodies = append(view.Bodies, bodyOf("Request body", e.sent, mask, mask.Request, none), bodyOf("Response body", e.received, mask, mask.Answer, mask.Wraps))
	if _, ok := p.s.requests.find(number - 1); ok {
		view.Prev = requestLink(number - 1)
	}
	if _, ok := p.s.requests.find(number + 1); ok {
		view.Next = requestLink(number + 1)
	}
	p.show(w, r, http.StatusOK, "request", view)
}

// bodyOf is a body as people may see it. Where secrets can be recognized only in whole
// resources, only whole ones are shown: lists names the fields that hold them.
func bodyOf(title string, x *excerpt, mask *model.Mask, hide func(any) any, lists func(string) bool) pageBody {
	out := pageBody{Title: title}
	switch {
	case x.size == 0:
		out.Note = "Empty."
		return out
	case x.cut():
		out.Note = fmt.Sprintf("Cut: the log keeps %d of %d bytes.", len(x.kept), x.size)
	}
	if !mask.NeedsAll() {
		lists = nil
	}
	v, err := x.value(lists)
	if err != nil {
		out.Note = strings.TrimSpace(out.Note + " Not shown: it is not JSON, or secrets cannot be recognized in a part of it.")
		return out
	}
	if out.Text, err = readable(hide(v)); err != nil {
		out.Note = strings.TrimSpace(out.Note + " Not shown: " + err.Error())
	}
	return out
}

// readable is JSON for people.
func readable(v any) (string, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return text.String(), err
}
