package emulator

import (
	"bytes"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const (
	pagePath    = "/"
	pageRows    = 20  // of a kind, among all kinds
	pageRowsOne = 500 // of a kind that is shown alone
)

func newPage() *template.Template {
	return template.Must(template.Must(template.New("page").Parse(pageText)).Parse(pageParts))
}

// page shows people what is stored, the last requests and the faults, each resource
// with what is below it, and each request with its bodies.
type page struct {
	s    *Server
	text func() *template.Template
}

// pageView is all that the page shows.
type pageView struct {
	Version, Organization, Region string
	Total                         int
	Kinds                         []pageKind
	Back, Refresh                 bool
	Search                        string
	Faults                        Faults
	Made                          []pageCount
	Problem                       string
	Requests                      summary
	Recent                        []pageRequest
}

// pageKind is the resources of one kind and region.
type pageKind struct {
	Words, Region string
	Count, Rest   int
	Rows          []pageRow
	Open, Below   bool
	More          string
}

type pageRow struct {
	Name, ID, Link, Parent, ParentLink, Changed string
	// Namespace is that of a managed resource, or of the one it belongs to.
	Namespace string
	Protected bool
	depth     int // below others of its kind
}

// Indent is how far a row stands to the right, in a tree.
func (r pageRow) Indent() string { return strings.Repeat("\u2003", r.depth) }

type pageCount struct {
	Name  string
	Count int
}

// serve shows what is stored, the last requests and the switches for faults,
// and takes what was switched.
func (p page) serve(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		p.write(w, r, http.StatusOK, p.s.Faults().Faults, "")
	case http.MethodPost:
		p.switchFaults(w, r)
	default:
		refusal := model.Refuse(http.StatusMethodNotAllowed, "%s is not allowed here", r.Method)
		refusal.Allow = []string{http.MethodGet, http.MethodPost}
		p.s.reply.problem(w, refusal)
	}
}

// switchFaults takes the form. What cannot be understood is shown again with the
// reason.
func (p page) switchFaults(w http.ResponseWriter, r *http.Request) {
	if !ownPage(r) {
		p.s.reply.problem(w, model.Refuse(http.StatusForbidden, "Only the page itself may switch faults"))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		p.s.reply.problem(w, model.Refuse(http.StatusBadRequest, "The form could not be read"))
		return
	}
	var f Faults
	problem := ""
	if r.PostForm.Get("action") != "clear" {
		f, problem = formFaults(r.PostForm)
	}
	if problem == "" {
		if err := p.s.SetFaults(f); err != nil {
			problem = err.Error()
		}
	}
	if problem != "" {
		p.write(w, r, http.StatusBadRequest, f, problem)
		return
	}
	http.Redirect(w, r, pagePath, http.StatusSeeOther)
}

func formFaults(form url.Values) (f Faults, problem string) {
	f = Faults{Latency: form.Get("latency"), Fault: form.Get("fault"), Rate: form.Get("rate"), Lag: form.Get("lag")}
	for line := range strings.Lines(form.Get("on")) {
		if line = strings.TrimSpace(line); line != "" {
			f.On = append(f.On, line)
		}
	}
	if text := strings.TrimSpace(form.Get("seed")); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return f, fmt.Sprintf("seed: %q is no whole number from 0", text)
		}
		f.Seed = seed
	}
	return f, ""
}

// ownPage reports whether a form comes from this page and not from another site.
// A browser says where a form comes from; what says nothing is not a browser.
func ownPage(r *http.Request) bool {
	if !loopback(r.RemoteAddr) {
		return false
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin" || site == "none"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

func (p page) write(w http.ResponseWriter, r *http.Request, status int, f Faults, problem string) {
	view, err := p.view(r.URL.Query())
	if err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	view.Faults, view.Problem = f, problem
	p.show(w, r, status, "page", view)
}

// show writes one of the pages.
func (p page) show(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	var out bytes.Buffer
	if err := p.text().ExecuteTemplate(&out, name, view); err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // an error means that the client is gone
}

func (p page) view(q url.Values) (*pageView, error) {
	v := &pageView{
		Version: p.s.o.Version, Organization: organizationName, Region: p.s.o.Region, Refresh: q.Get("refresh") != "", Back: q.Get("kind") != "" || q.Get("q") != "",
		Search:   q.Get("q"),
		Requests: p.s.requests.summary(),
	}
	made := p.s.Faults().Made
	for _, name := range slices.Sorted(maps.Keys(made)) {
		v.Made = append(v.Made, pageCount{name, made[name]})
	}
	for _, e := range slices.Backward(v.Requests.Recent) {
		v.Recent = append(v.Recent, pageEntry(e))
	}
	err := p.s.store.View(func(tx store.Tx) error {
		for _, b := range p.s.cat.All() {
			for _, name := range tx.Kinds() {
				if kind, region := store.SplitShelf(name); kind == b.Kind {
					p.kind(v, tx, b, region, q)
				}
			}
		}
		return nil
	})
	return v, err
}

// kind adds a kind of one region; only a part of it, unless it is asked for.
func (p page) kind(v *pageView, tx store.Tx, b *catalog.Bound, region string, q url.Values) {
	k := pageKind{Words: catalog.Words(b.Kind), Region: region, Below: b.Parent != nil}
	name := store.Shelf(b.Kind, region)
	from, limit := 0, pageRows
	alone := q.Get("kind") == name || q.Get("kind") == b.Kind // without a region it means all of them
	if alone {
		limit = pageRowsOne
		if n, err := strconv.Atoi(q.Get("from")); err == nil {
			from = n
		}
	}
	var rows []pageRow
	tx.Range(name, "", func(r *store.Record) bool {
		v.Total++
		if row := pageRowOf(tx, p.s.cat, b, r); row.matches(v.Search) {
			rows = append(rows, row)
		}
		return true
	})
	sortRows(rows)
	k.Count = len(rows)
	k.Rows = rows[min(max(from, 0), len(rows)):]
	k.Rows = k.Rows[:min(limit, len(k.Rows))]
	if q.Get("kind") != "" && !alone || v.Search != "" && k.Count == 0 {
		return
	}
	if k.Rest = k.Count - from - len(k.Rows); k.Rest > 0 {
		next := from
		if alone {
			next += len(k.Rows)
		}
		k.More = pagePath + "?" + moreOf(name, next, v.Search)
	}
	k.Open = alone || v.Search != "" || b.Parent == nil && b.SystemFlag == ""
	v.Kinds = append(v.Kinds, k)
}

func pageRowOf(tx store.Tx, cat *catalog.Catalog, b *catalog.Bound, r *store.Record) pageRow {
	row := pageRow{ID: r.ID, Link: recordLink(r.Shelf(), r.ID), Changed: r.Updated.UTC().Format("2006-01-02 15:04:05")}
	if b.Writer != "" {
		row.ID = r.Public()
	}
	row.Namespace, row.Protected = ownership(tx, b, r)
	row.Name, row.depth = path(tx, cat, b, r)
	if b.Parent == nil {
		return row
	}
	shelf := store.Shelf(b.Parent.Kind, r.Region)
	if up := tx.Get(shelf, r.Parent); up != nil {
		row.Parent, row.ParentLink = recordName(tx, cat, b.Parent, up), recordLink(shelf, up.ID)
	}
	return row
}

// KindPage returns where the page shows the resources of a type.
func KindPage(kind string) string { return pagePath + "?" + url.Values{"kind": {kind}}.Encode() }

// ResourcePage returns where the page shows one resource.
func ResourcePage(kind, id string) string { return recordLink(kind, id) }

func recordLink(shelf, id string) string {
	return viewPath + "?" + url.Values{"kind": {shelf}, "id": {id}}.Encode()
}
