package intercept

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	domain    = "konghq.com"
	tlsPort   = "443"
	connected = "HTTP/1.1 200 Connection established\r\n\r\n"
)

// konnectHost tells the names of Konnect's hosts.
func konnectHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == domain || strings.HasSuffix(host, "."+domain)
}

// proxy is an HTTP proxy that knows only Konnect's hosts. What is not meant for
// a proxy goes to the handler as it is.
type proxy struct {
	next http.Handler
	// tunnels takes connections that clients believe to be Konnect's.
	tunnels *queue
}

// ServeHTTP answers the two forms of requests to a proxy, and all others.
func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case r.URL.IsAbs() && !konnectHost(r.URL.Hostname()):
		refuse(w, r.URL.Host)
	default:
		p.next.ServeHTTP(w, r)
	}
}

func refuse(w http.ResponseWriter, host string) {
	http.Error(w, fmt.Sprintf("kongctl: %q is not a host of Konnect (*.%s:%s). This proxy leads those to the embedded Konnect and forwards nothing.", host, domain, tlsPort), http.StatusForbidden)
}

// connect hands the connection to the TLS server of this process.
func (p proxy) connect(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != tlsPort || !konnectHost(host) {
		refuse(w, r.Host)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "kongctl: "+err.Error(), http.StatusInternalServerError)
		return
	}
	_ = conn.SetDeadline(time.Time{}) // a connection that is gone tells on the next line
	if _, err := conn.Write([]byte(connected)); err != nil {
		_ = conn.Close() // the client is gone
		return
	}
	p.tunnels.put(peeked{conn, buffered.Reader})
}

// peeked is a connection of which something was read already.
type peeked struct {
	net.Conn
	in *bufio.Reader
}

// Read starts with what was read already.
func (c peeked) Read(p []byte) (int, error) { return c.in.Read(p) }
