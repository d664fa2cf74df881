package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
)

const fetchTimeout = 30 * time.Second

// fetch reads a URL. Nothing of the user's goes with the request: no token, no
// cookie, no password.
func fetch(ctx context.Context, client *http.Client, raw string) ([]byte, *problem) {
	refuse := func(fix, format string, args ...any) ([]byte, *problem) {
		return nil, &problem{diag.SrcURL, fmt.Sprintf(format, args...), fix}
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "":
		return refuse("write https://HOST/PATH.", "The URL is malformed.")
	case u.User != nil:
		return refuse("download the document and name the file.", "The URL holds a user name or password, and none is ever sent.")
	case !allowedURL(u):
		return refuse("use https.", "Only https is read, and http from this machine.")
	case client == nil:
		return refuse("download the document and name the file.", "URLs are not read here.")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return refuse("write https://HOST/PATH.", "The URL is malformed.")
	}
	own := *client
	own.Jar = nil
	own.CheckRedirect = checkRedirect
	resp, err := own.Do(req)
	if err != nil {
		return refuse("check the URL and the network.", "The request did not come through: %v.", withoutURL(err))
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode != http.StatusOK:
		return refuse("check the URL: it must be readable without signing in.", "The server answered %s.", resp.Status)
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html"):
		return refuse("use the URL of the raw file.", "The server answered with a web page.")
	}
	data, p := readAll(resp.Body, maxFileSize)
	if p != nil && p.code == diag.SrcUnreadable {
		p.code = diag.SrcURL
	}
	return data, p
}

// allowedURL lets plain http go no further than this machine.
func allowedURL(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u)
}

func isLoopback(u *url.URL) bool {
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 5:
		return errors.New("too many redirects")
	case next.URL.User != nil || !allowedURL(next.URL):
		return errors.New("it redirects to a URL that is not allowed")
	case isLoopback(next.URL) && !isLoopback(via[0].URL):
		return errors.New("it redirects to this machine")
	}
	// A signed URL's query is nobody else's business.
	next.Header.Del("Referer")
	return nil
}

// withoutURL drops the URL that the client puts into its errors: a query may
// hold a signature.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// shownURL is a URL without its user, query and fragment.
func shownURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		before, _, _ := strings.Cut(raw, "://")
		return before + "://?"
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	return u.String()
}

// savePlace is the folder for what was fetched.
func savePlace(o Options) string {
	if o.SaveDir == "" || filepath.IsAbs(o.SaveDir) {
		return o.SaveDir
	}
	return filepath.Join(o.WorkDir, o.SaveDir)
}

// keepFetched writes what a URL gave to a folder, under the name of the URL's
// host and path, because a query may hold a signature. A digest of all of it keeps
// documents apart whose names are the same on disk: /a/b and /a_b, or two versions.
func keepFetched(dir, raw string, data []byte) *problem {
	u, err := url.Parse(raw)
	if err != nil {
		return &problem{diag.SrcURL, "The URL is malformed.", "write https://HOST/PATH."}
	}
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.Trim(u.Host+u.Path, "/."))
	u.Fragment, u.RawFragment = "", "" // never sent
	sum := sha256.Sum256([]byte(u.String()))
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = disk.Write(filepath.Join(dir, hex.EncodeToString(sum[:4])+"_"+name[max(0, len(name)-200):]), data)
	}
	if err != nil {
		return &problem{diag.SrcUnreadable, fmt.Sprintf("What the URL gave cannot be kept: %v.", disk.Cause(err)), "name another folder with --remote-file-save-dir."}
	}
	return nil
}
