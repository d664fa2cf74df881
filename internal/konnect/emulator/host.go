package emulator

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

const (
	domain       = "konghq.com"
	regionDomain = ".api." + domain
)

// guardHost answers only those who call this machine, or Konnect, by its name: a
// web page whose name leads here for a moment must not read what is stored.
// Requests to a proxy name another host; they are left to it.
func guardHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect && !r.URL.IsAbs() && !knownHost(hostname(r.Host)) {
			http.Error(w, "kongctl: the embedded Konnect is not at "+r.Host+"; use localhost or 127.0.0.1.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func knownHost(name string) bool {
	if name == "localhost" || name == domain || strings.HasSuffix(name, "."+domain) {
		return true
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return ip != nil && ip.IsLoopback()
}

// region is where the resources of a request are kept: Konnect's hosts name it,
// any other address stands for the region of the options.
func (s *Server) region(host string) (string, error) {
	name, ok := strings.CutSuffix(hostname(host), regionDomain)
	if !ok {
		return s.o.Region, nil
	}
	if !slices.Contains(model.Regions(), name) {
		return "", model.Refuse(http.StatusNotFound, "There is no region %s; regions are %s", name, strings.Join(model.Regions(), ", "))
	}
	return name, nil
}

// InRegion leads the requests of a client to a region: they name the host that
// Konnect has there.
func InRegion(next http.RoundTripper, region string) http.RoundTripper {
	return inRegion{next: next, host: region + regionDomain}
}

type inRegion struct {
	next http.RoundTripper
	host string
}

// RoundTrip sends a request on, to the same address.
func (t inRegion) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = t.host
	return t.next.RoundTrip(r)
}

// hostname is a host without its port, in small letters.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
