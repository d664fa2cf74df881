package emulator

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const (
	localPrefix  = "/__local/"
	resourcePath = localPrefix + "resource" // as JSON
	viewPath     = localPrefix + "view"     // as a page
	requestPath  = localPrefix + "request"
	loginPath    = localPrefix + "login" // where people approve a login
	// LocalHeader must be set on requests that change the embedded Konnect
	// itself: a web page cannot set it on a request across origins.
	LocalHeader = "X-Kongctl-Local"
)

// serveLocal answers what is about the embedded Konnect itself. It needs no
// token and is not in the request log.
func (s *Server) serveLocal(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /__local/requests":
		s.reply.answer(w, model.Answer{Status: http.StatusOK, Body: s.requests.summary()})
	case "DELETE /__local/requests":
		s.requests.clear()
		w.WriteHeader(http.StatusNoContent)
	case "GET /__local/state":
		state, err := s.m.State(r.URL.Query().Get("seeds") != "no")
		if err != nil {
			s.reply.error(w, r, err)
			return
		}
		s.reply.answer(w, model.Answer{Status: http.StatusOK, Body: state})
	case "GET /__local/health":
		status := "ok"
		if errors.Is(s.store.Usable(), store.ErrBroken) {
			status = "broken"
		}
		s.reply.answer(w, model.Answer{Status: http.StatusOK, Body: map[string]any{"status": status, "version": s.o.Version, "pid": os.Getpid()}})
	case "GET " + resourcePath:
		s.writeResource(w, r)
	case "GET " + viewPath:
		s.page.resource(w, r)
	case "GET " + requestPath:
		s.page.request(w, r)
	case "GET " + loginPath, "POST " + loginPath:
		s.page.login(w, r)
	case "GET /__local/faults":
		s.reply.answer(w, model.Answer{Status: http.StatusOK, Body: s.Faults()})
	case "PUT /__local/faults":
		s.putFaults(w, r)
	case "POST /__local/reset":
		err := owner(r)
		if err == nil {
			err = s.Reset()
		}
		if err != nil {
			s.reply.error(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		s.reply.problem(w, model.Refuse(http.StatusNotFound, "Not found"))
	}
}

// writeResource shows one resource, for people.
func (s *Server) writeResource(w http.ResponseWriter, r *http.Request) {
	v, err := s.m.Resource(r.URL.Query().Get("kind"), r.URL.Query().Get("id"))
	if err != nil {
		s.reply.error(w, r, err)
		return
	}
	body, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		s.reply.error(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) // an error means that the client is gone
}

// owner refuses anyone who is not on this machine, and web pages of others.
func owner(r *http.Request) error {
	if r.Header.Get(LocalHeader) != "1" {
		return model.Refuse(http.StatusForbidden, "The header %s: 1 is required", LocalHeader)
	}
	if !loopback(r.RemoteAddr) {
		return model.Refuse(http.StatusForbidden, "Only this machine may change the embedded Konnect itself")
	}
	return nil
}

// Reset empties the store and puts what a new organization has.
func (s *Server) Reset() error { return s.m.Reset() }

// loopback accepts calls in process too, which have no address.
func loopback(addr string) bool {
	if addr == "" {
		return true
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
