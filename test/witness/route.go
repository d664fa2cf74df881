package witness

import (
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/routers"
)

// remembering is a router that keeps what another one found, by paths without
// their ids: that one tries all paths of the document one after the other, which
// takes as long as to validate.
type remembering struct {
	routers.Router
	found sync.Map
}

var idInPath = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// FindRoute finds the operation of a request, and its parameters.
func (r *remembering) FindRoute(req *http.Request) (*routers.Route, map[string]string, error) {
	path := req.URL.EscapedPath()
	key := req.Method + " " + idInPath.ReplaceAllString(path, "*")
	if kept, ok := r.found.Load(key); ok {
		if route := kept.(*routers.Route); !strings.Contains(path, "%") {
			return route, params(route.Path, path), nil
		}
	}
	route, params, err := r.Router.FindRoute(req)
	if err == nil && whole(route.Path) {
		r.found.Store(key, route)
	}
	return route, params, err
}

// whole reports whether the parameters of a path are whole segments.
func whole(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if strings.Contains(part, "{") && (part[0] != '{' || strings.IndexByte(part, '}') != len(part)-1) {
			return false
		}
	}
	return true
}

// params are the values of the parameters of a path.
func params(pattern, path string) map[string]string {
	out, values := map[string]string{}, strings.Split(path, "/")
	for i, part := range strings.Split(pattern, "/") {
		if strings.HasPrefix(part, "{") {
			out[part[1:len(part)-1]] = values[i]
		}
	}
	return out
}
