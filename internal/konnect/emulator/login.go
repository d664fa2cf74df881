package emulator

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// The addresses of the device grant, as Konnect has them.
const (
	authorizePath = "/v3/internal/oauth/device/authorize"
	tokenPath     = "/v3/internal/oauth/device/token" //nolint:gosec // an address
	refreshPath   = "/kauth/api/v1/refresh"
)

const (
	deviceGrant   = "urn:ietf:params:oauth:grant-type:device_code"
	codeLifetime  = 10 * time.Minute
	tokenLifetime = time.Hour
	loginLifetime = 30 * 24 * time.Hour
	pollInterval  = time.Second
	// loginToken begins the tokens of logins; others are taken as they are.
	loginToken = "klogin_"
	// mostLogins bounds what a program can make the server remember.
	mostLogins = 1000
)

// grant is a login that waits for an answer, or has it.
type grant struct {
	user, client string
	end          time.Time
	polled       time.Time // the last time
	answered, ok bool
}

// logins are the logins of the device grant: who waits, and which tokens are good.
// A server that starts again has forgotten them.
type logins struct {
	now func() time.Time

	mu      sync.Mutex
	grants  map[string]*grant    // by device code
	access  map[string]time.Time // tokens, until when
	refresh map[string]time.Time
}

func newLogins(now func() time.Time) *logins {
	return &logins{now: now, grants: map[string]*grant{}, access: map[string]time.Time{}, refresh: map[string]time.Time{}}
}

// accepts reports whether a token is good: one of a login that has not ended, or
// any other.
func (l *logins) accepts(token string) bool {
	if !strings.HasPrefix(token, loginToken) {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now().Before(l.access[token])
}

// serve answers the requests of the device grant and reports whether it was one.
// The log has them without their bodies, which hold tokens.
func (l *logins) serve(s *Server, w http.ResponseWriter, r *http.Request) bool {
	do := map[string]func(http.ResponseWriter, *http.Request) (int, map[string]any){
		authorizePath: l.authorize, tokenPath: l.poll, refreshPath: l.renew,
	}[r.URL.Path]
	if do == nil || r.Method != http.MethodPost {
		return false
	}
	start := l.now()
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	status, body := do(w, r)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client is gone
	s.requests.note(r.Method+" "+r.URL.Path, entry{
		Time: start.UTC(), Method: r.Method, Path: r.URL.Path, Status: status, Duration: l.now().Sub(start).String(),
		escaped: r.URL.EscapedPath(), sent: &excerpt{}, received: &excerpt{},
	})
	return true
}

func refused(code string) (int, map[string]any) {
	return http.StatusBadRequest, map[string]any{"error": code}
}

// authorize begins a login.
func (l *logins) authorize(_ http.ResponseWriter, r *http.Request) (int, map[string]any) {
	client := r.PostFormValue("client_id")
	if client == "" {
		return refused("invalid_client")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	if len(l.grants) >= mostLogins {
		return http.StatusTooManyRequests, map[string]any{"error": "slow_down"}
	}
	device, g := rand.Text(), &grant{user: userCode(), client: client, end: l.now().Add(codeLifetime)}
	l.grants[device] = g
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	page := scheme + "://" + r.Host + loginPath
	return http.StatusOK, map[string]any{
		"device_code": device, "user_code": g.user, "verification_uri": page, "verification_uri_complete": page + "?code=" + g.user,
		"expires_in": int(codeLifetime.Seconds()), "interval": int(pollInterval.Seconds()),
	}
}

// userCode is a code that people can read aloud and that spells nothing.
func userCode() string {
	const letters = "BCDFGHJKLMNPQRSTVWXZ"
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // it never fails
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw[:4]) + "-" + string(raw[4:])
}

// poll answers whether somebody has approved a login.
func (l *logins) poll(_ http.ResponseWriter, r *http.Request) (int, map[string]any) {
	if r.PostFormValue("grant_type") != deviceGrant {
		return refused("unsupported_grant_type")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	device := r.PostFormValue("device_code")
	g, now := l.grants[device], l.now()
	switch {
	case g == nil || g.client != r.PostFormValue("client_id"):
		return refused("invalid_grant")
	case !now.Before(g.end):
		delete(l.grants, device)
		return refused("expired_token")
	case !g.answered && now.Sub(g.polled) < pollInterval:
		g.polled = now
		return refused("slow_down")
	case !g.answered:
		g.polled = now
		return refused("authorization_pending")
	}
	delete(l.grants, device)
	if !g.ok {
		return refused("access_denied")
	}
	access, refresh := l.issue()
	return http.StatusOK, map[string]any{
		"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": int(tokenLifetime.Seconds()),
	}
}

// issue makes a pair of tokens.
func (l *logins) issue() (access, refresh string) {
	access, refresh = loginToken+rand.Text(), rand.Text()
	l.access[access] = l.now().Add(tokenLifetime)
	l.refresh[refresh] = l.now().Add(loginLifetime)
	return access, refresh
}

// renew gives a new pair of tokens for a refresh token, which is used up.
func (l *logins) renew(w http.ResponseWriter, r *http.Request) (int, map[string]any) {
	cookie, err := r.Cookie("konnectrefreshtoken")
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || !l.now().Before(l.refresh[cookie.Value]) {
		return http.StatusUnauthorized, map[string]any{"error": "invalid_grant"}
	}
	delete(l.refresh, cookie.Value)
	access, refresh := l.issue()
	for name, token := range map[string]string{"konnectaccesstoken": access, "konnectrefreshtoken": refresh} {
		c := &http.Cookie{Name: name, Value: token, Path: "/", MaxAge: int(tokenLifetime.Seconds()), HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode}
		if token == refresh {
			c.Path, c.MaxAge = refreshPath, int(loginLifetime.Seconds())
		}
		http.SetCookie(w, c)
	}
	return http.StatusOK, map[string]any{}
}

// answer takes the answer of whoever was asked; false where no login waits for it.
func (l *logins) answer(code string, ok bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.waiting(code)
	if g == nil {
		return false
	}
	g.answered, g.ok = true, ok
	return true
}

// waits reports whether a login waits for an answer.
func (l *logins) waits(code string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting(code) != nil
}

func (l *logins) waiting(code string) *grant {
	for _, g := range l.grants {
		if g.user == code && !g.answered && l.now().Before(g.end) {
			return g
		}
	}
	return nil
}

// forget drops what has ended.
func (l *logins) forget() {
	now := l.now()
	for device, g := range l.grants {
		if !now.Before(g.end) {
			delete(l.grants, device)
		}
	}
	for _, tokens := range []map[string]time.Time{l.access, l.refresh} {
		for token, end := range tokens {
			if !now.Before(end) {
				delete(tokens, token)
			}
		}
	}
}

// loginView is the page on which people approve a login.
type loginView struct {
	Version, Organization, Path, User string
	Code, Problem, Done               string
	Known                             bool
}

// login shows the page and takes the answer.
func (p page) login(w http.ResponseWriter, r *http.Request) {
	v := &loginView{Version: p.s.o.Version, Organization: organizationName, Path: loginPath, User: firstUser()["full_name"].(string)}
	if r.Method == http.MethodPost {
		p.answerLogin(w, r, v)
		return
	}
	v.Code = strings.ToUpper(strings.TrimSpace(r.URL.Query().Get("code")))
	v.Known = p.s.logins.waits(v.Code)
	if v.Code != "" && !v.Known {
		v.Problem = "No login waits for this code. It may have expired, or somebody has answered it."
	}
	p.show(w, r, http.StatusOK, "login", v)
}

func (p page) answerLogin(w http.ResponseWriter, r *http.Request, v *loginView) {
	if !ownPage(r) {
		p.s.reply.problem(w, model.Refuse(http.StatusForbidden, "Only the page itself may approve a login"))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	v.Code = r.PostFormValue("code")
	approve := r.PostFormValue("action") == "approve"
	switch {
	case !p.s.logins.answer(v.Code, approve):
		v.Problem = "No login waits for this code. It may have expired, or somebody has answered it."
	case approve:
		v.Done = "The login is approved"
	default:
		v.Done = "The login is denied"
	}
	p.show(w, r, http.StatusOK, "login", v)
}
