package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// replier writes answers and refusals.
type replier struct {
	log      *slog.Logger
	refusals atomic.Uint64 // how many there were
	encoders encoders
}

// legacyProblem is the form in which core entities refuse; nil where they too
// answer with a problem.
func legacyProblem(p *model.Problem) map[string]any {
	code := map[int]int{
		http.StatusBadRequest: 3, http.StatusNotFound: 5, http.StatusConflict: 6, http.StatusForbidden: 7, http.StatusUnauthorized: 16,
		http.StatusMethodNotAllowed: 12, http.StatusNotImplemented: 12, http.StatusRequestEntityTooLarge: 3, http.StatusInternalServerError: 13,
		http.StatusServiceUnavailable: 14, http.StatusBadGateway: 14, http.StatusGatewayTimeout: 4,
	}[p.Status]
	if code == 0 {
		return nil
	}
	details, message := []any{}, p.Detail
	var all []string
	for _, i := range p.Parameters {
		all = append(all, i.Field+": "+i.Reason)
		details = append(details, map[string]any{"type": "ERROR_TYPE_FIELD", "field": i.Field, "messages": []string{i.Reason}})
	}
	if len(all) > 1 { // clients of core entities show the message alone
		message += ": " + strings.Join(all, "; ")
	}
	return map[string]any{"code": code, "status": p.Status, "message": message, "details": details}
}

// headers are those that some refusals come with.
func headers(w http.ResponseWriter, p *model.Problem) {
	if len(p.Allow) > 0 {
		w.Header().Set("Allow", strings.Join(p.Allow, ", "))
	}
	if p.Retry > 0 {
		w.Header().Set("Retry-After", seconds(p.Retry))
	}
}

// problem refuses in the form of problem+json.
func (r *replier) problem(w http.ResponseWriter, p *model.Problem) {
	out := *p
	if p.Status == http.StatusBadRequest && len(p.Parameters) == 0 { // there must be one
		out.Parameters = []model.Invalid{{Rule: "invalid", Reason: p.Detail}}
	}
	out.Instance = fmt.Sprintf("konnect:trace:%016d", r.refusals.Add(1))
	body, err := json.Marshal(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	headers(w, p)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // an error means that the client is gone
}

// error refuses for what went wrong.
func (r *replier) error(w http.ResponseWriter, req *http.Request, err error) {
	var p *model.Problem
	if !errors.As(err, &p) {
		r.log.ErrorContext(req.Context(), "request", slog.String("method", req.Method), slog.String("path", req.URL.Path), slog.String("error", err.Error()))
		p = model.Refuse(http.StatusInternalServerError, "%v", err)
		if errors.Is(err, store.ErrBroken) {
			p = model.Refuse(http.StatusServiceUnavailable, "%v", err)
		}
	}
	r.refusal(w, req, p)
}

// refusal refuses in the form that the path has for it.
func (r *replier) refusal(w http.ResponseWriter, req *http.Request, p *model.Problem) {
	if body := legacyProblem(p); body != nil && legacy(req) {
		headers(w, p)
		r.answer(w, model.Answer{Status: p.Status, Body: body})
		return
	}
	r.problem(w, p)
}

// legacy reports whether a request is of the part of the API that has a form of
// errors of its own. Two lists there, which gateways do not have, refuse as others do.
func legacy(req *http.Request) bool {
	path := req.URL.Path
	for _, list := range []string{"/core-entities/targets", "/core-entities/plugin-schemas"} {
		if req.Method == http.MethodGet && strings.HasSuffix(path, list) {
			return false
		}
	}
	return strings.Contains(path, "/core-entities/") || strings.Contains(path, "/dp-client-certificates")
}

// answer answers with what a call has given.
func (r *replier) answer(w http.ResponseWriter, a model.Answer) {
	if a.Body == nil {
		w.WriteHeader(a.Status)
		return
	}
	if content, isRaw := a.Body.(model.Content); isRaw {
		w.Header().Set("Content-Type", content.Media)
		w.WriteHeader(a.Status)
		_, _ = w.Write(content.Data) // an error means that the client is gone
		return
	}
	if err := r.encoders.encode(a.Body, func(body []byte) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.Status)
		_, _ = w.Write(body) // an error means that the client is gone
	}); err != nil {
		r.problem(w, model.Refuse(http.StatusInternalServerError, "%v", err))
	}
}

// seconds is a time for the header Retry-After, which knows no parts of seconds.
func seconds(d time.Duration) string {
	return strconv.Itoa(int(max(1, math.Ceil(d.Seconds()))))
}
