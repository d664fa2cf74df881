package emulator

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

const (
	localPrefix  = "/__local/"
	resourcePath = localPrefix + "resource"
	// LocalHeader must be set on requests that change the embedded Konnect
	// itself: a web page cannot set it on a request across origins.
	LocalHeader = "X-Kongctl-Local"
)

// serveLocal answers what is about the embedded Konnect itself. It needs no
// token and is not in the request log.
func (s *Server) serveLocal(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /__local/requests":
		s.writeLocal(w, s.requests.summary())
	case "DELETE /__local/requests":
		s.requests.clear()
		w.WriteHeader(http.StatusNoContent)
	case "GET /__local/state":
		state, err := s.visible()
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		s.writeLocal(w, state)
	case "GET /__local/health":
		status := "ok"
		if errors.Is(s.store.Usable(), store.ErrBroken) {
			status = "broken"
		}
		s.writeLocal(w, map[string]any{"status": status, "version": s.o.Version, "pid": os.Getpid()})
	case "GET " + resourcePath:
		s.writeResource(w, r)
	case "GET /__local/faults":
		s.writeLocal(w, s.Faults())
	case "PUT /__local/faults":
		s.putFaults(w, r)
	case "POST /__local/reset":
		if err := s.reset(r); err != nil {
			s.writeError(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		s.writeProblem(w, refuse(http.StatusNotFound, "Not found"))
	}
}

func (s *Server) writeLocal(w http.ResponseWriter, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		s.writeProblem(w, refuse(http.StatusInternalServerError, "%v", err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client is gone: nobody is left to be told
}

// visible is all stored resources by kind, without secrets; those that are not
// of the region of the options by kind and region.
func (s *Server) visible() (map[string][]any, error) {
	out := map[string][]any{}
	err := s.o.Store.View(func(tx store.Tx) error {
		for _, name := range tx.Kinds() {
			kind, region := store.SplitShelf(name)
			b := s.cat.Kind(kind)
			if b == nil {
				continue
			}
			sc := s.scene(tx, region)
			list := []any{}
			tx.Range(name, "", func(r *store.Record) bool {
				list = append(list, sc.shown(b, r))
				return true
			})
			if region == s.o.Region {
				name = kind
			}
			out[name] = list
		}
		return nil
	})
	return out, err
}

// shown is a resource without its secrets.
func (sc scene) shown(b *catalog.Bound, r *store.Record) map[string]any {
	v := sc.view(b, r)
	if schema := sc.s.written(b); schema != nil {
		hideSecrets(schema, v)
	}
	if hide := sc.s.conduct(b).hide; hide != nil {
		hide(sc, v)
	}
	if r.Parent != "" {
		v["parent"] = r.Parent
	}
	return v
}

// written is the schema of what clients write, which says what is secret.
func (s *Server) written(b *catalog.Bound) *contract.Schema {
	if !b.External {
		return b.Write()
	}
	if known, ok := s.writes.Load(b.Kind); ok {
		return known.(*contract.Schema)
	}
	var schema *contract.Schema
	for _, op := range s.contract.Operations() {
		if act := s.action(op); act != nil && act.b == b && act.verb == verbReplace {
			schema = op.Body()
		}
	}
	s.writes.Store(b.Kind, schema)
	return schema
}

// writeResource shows one resource, for people.
func (s *Server) writeResource(w http.ResponseWriter, r *http.Request) {
	name, id := r.URL.Query().Get("kind"), r.URL.Query().Get("id")
	var v map[string]any
	err := s.o.Store.View(func(tx store.Tx) error {
		kind, region := store.SplitShelf(name)
		b, rec := s.cat.Kind(kind), tx.Get(name, id)
		if b == nil || rec == nil {
			return notFound(kind, id)
		}
		v = s.scene(tx, region).shown(b, rec)
		return nil
	})
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	body, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) // the client is gone: nobody is left to be told
}

func hideSecrets(schema *contract.Schema, v map[string]any) {
	o := schema.Object(v)
	for k, x := range v {
		f := o.Field(k)
		if f == nil {
			continue
		}
		if f.Schema.Secret {
			delete(v, k)
			continue
		}
		v[k] = withoutSecrets(f.Schema, x)
	}
}

// withoutSecrets copies what has something below it.
func withoutSecrets(schema *contract.Schema, v any) any {
	schema = schema.Deref()
	switch x := v.(type) {
	case map[string]any:
		m := cloneMap(x)
		hideSecrets(schema, m)
		return m
	case []any:
		if schema.Items == nil {
			return x
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = withoutSecrets(schema.Items, e)
		}
		return out
	default:
		return v
	}
}

// reset empties the store.
func (s *Server) reset(r *http.Request) error {
	if err := owner(r); err != nil {
		return err
	}
	return s.Reset()
}

// owner refuses anyone who is not on this machine, and web pages of others.
func owner(r *http.Request) error {
	if r.Header.Get(LocalHeader) != "1" {
		return refuse(http.StatusForbidden, "The header %s: 1 is required", LocalHeader)
	}
	if !loopback(r.RemoteAddr) {
		return refuse(http.StatusForbidden, "Only this machine may change the embedded Konnect itself")
	}
	return nil
}

// Reset empties the store and puts what a new organization has.
func (s *Server) Reset() error {
	return s.o.Store.Update(func(tx store.Tx) error {
		for _, kind := range tx.Kinds() {
			tx.Range(kind, "", func(r *store.Record) bool { tx.Delete(kind, r.ID); return true })
		}
		return s.sow(tx)
	})
}

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
