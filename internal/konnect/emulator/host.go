package emulator

import (
	"net"
	"net/http"
	"strings"
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
