// Package token creates, lists and deletes access tokens of Konnect. They are no
// resources: Konnect shows the token itself once, so that no plan could hold or
// compare it.
//
// In: whose tokens, a name, and something that speaks to Konnect. Out: tokens as
// Konnect lists them, and the token itself once, to whoever created it. It keeps
// nothing, and must never import what decides about changes (live, diff, propose,
// drive) or what writes plans and journals.
package token

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// Kind is whose tokens: those of a person or of a system account.
type Kind struct {
	word, words string
	path        string
	field       string   // of the token, in the answer to a create
	account     bool     // they belong to a system account
	columns     []string // that tell most
}

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{
		{
			word: "pat", words: "personal access token", path: "/v3/users/{userId}/access-tokens", field: "konnect_token",
			columns: []string{"name", "state", "expires_at", "last_used_at", "id"},
		},
		{
			word: "spat", words: "system account access token", path: "/v3/system-accounts/{accountId}/access-tokens", field: "token", account: true,
			columns: []string{"name", "expires_at", "last_used_at", "id"},
		},
	}
}

// Find finds a kind by its word, in the singular or plural.
func Find(word string) (Kind, bool) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return strings.TrimSuffix(strings.ToLower(word), "s") == k.word })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// Word is what a command calls the kind.
func (k Kind) Word() string { return k.word }

// Words name one token of the kind.
func (k Kind) Words() string { return k.words }

// AccountWord is the word of the flags that name the system account that the tokens
// belong to; "" for those of a person.
func (k Kind) AccountWord() string {
	if !k.account {
		return ""
	}
	return catalog.FlagWord(k.ownerType())
}

// ownerType is the type of those whom the tokens belong to.
func (k Kind) ownerType() *catalog.Type {
	path, _, _ := strings.Cut(k.path, "/{")
	types := catalog.Types()
	return types[slices.IndexFunc(types, func(t *catalog.Type) bool { return t.ChildOf == nil && t.Path == path })]
}

// Created is a token that was created. Its printed forms lack the token itself.
type Created struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Token     string `json:"token,omitempty"`
	ExpiresAt string `json:"expires_at,omitempty"`
	Account   string `json:"system_account_id,omitempty"`
}

// Format keeps the token out of every printed form.
func (c Created) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "access token "+c.ID) }

// Service speaks to Konnect about the tokens of one owner.
type Service struct {
	Kind    Kind
	Catalog *catalog.Catalog
	Client  *client.Client
	Target  *client.Target
	// Account names the system account whose tokens are meant, where it is one.
	Account query.Selection
}

// owner is the id of the person that the token of the session belongs to, or that of
// the system account.
func (s Service) owner(ctx context.Context) (string, error) {
	if !s.Kind.account {
		me, err := s.Target.Whoami(ctx, "/v3/users/me")
		if err != nil {
			return "", err
		}
		id, _ := me["id"].(string)
		if id == "" {
			return "", &client.AnswerError{Method: http.MethodGet, Path: "/v3/users/me", Status: http.StatusOK, Reason: "without an id"}
		}
		return id, nil
	}
	if s.Account.ID != "" {
		return s.Account.ID, nil
	}
	found, err := query.Run(ctx, s.Target, s.Catalog, query.Request{Asked: query.Asked{Type: s.Kind.ownerType(), Name: s.Account.Name}})
	if err != nil {
		return "", err
	}
	id, _ := found.Bodies[0]["id"].(string)
	return id, nil
}

// call sends a request about the tokens of an owner, or about one of them.
func (s Service) call(ctx context.Context, method, owner, id string, body any) (*client.Response, error) {
	op, path, err := s.operation(method, owner, id)
	if err != nil {
		return nil, err
	}
	res, err := s.Client.Do(ctx, client.Request{Method: method, Path: path, Body: body, Global: op.Global})
	if s.Kind.account && id == "" && client.IsNotFound(err) {
		return nil, &query.NotFoundError{Kind: "system account", Name: owner}
	}
	return res, err
}

func (s Service) operation(method, owner, id string) (*contract.Operation, string, error) {
	template := s.Kind.path
	if id != "" {
		template += "/{tokenId}"
	}
	op := s.Catalog.Contract.Operation(method, template)
	if op == nil {
		return nil, "", fmt.Errorf("%s %s: the API has no such operation", method, template)
	}
	path, err := op.Expand(map[string]string{op.PathParams()[0]: owner, "tokenId": id})
	return op, path, err
}

// List reads all tokens, oldest first as Konnect lists them. None has the token itself.
func (s Service) List(ctx context.Context) ([]map[string]any, error) {
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	return s.list(ctx, owner)
}

func (s Service) list(ctx context.Context, owner string) ([]map[string]any, error) {
	op, path, err := s.operation(http.MethodGet, owner, "")
	if err != nil {
		return nil, err
	}
	items, err := s.Target.Items(ctx, op, path)
	if s.Kind.account && client.IsNotFound(err) {
		return nil, &query.NotFoundError{Kind: "system account", Name: owner}
	}
	for _, item := range items {
		delete(item, s.Kind.field)
	}
	return items, err
}

// Answer is what get shows: all tokens, or the one with a name or id.
func (s Service) Answer(ctx context.Context, word string) (*query.Answer, error) {
	items, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	out := &query.Answer{Bodies: items, Of: s.Kind.words, Columns: s.Kind.columns}
	if word == "" {
		return out, nil
	}
	one, err := s.pick(items, word)
	if err != nil {
		return nil, err
	}
	out.Bodies, out.One = []map[string]any{one}, true
	return out, nil
}

// pick finds the one token that a word means: the one with the id, else the one with
// the name.
func (s Service) pick(items []map[string]any, word string) (map[string]any, error) {
	for _, field := range []string{"id", "name"} {
		var found []map[string]any
		for _, item := range items {
			if item[field] == word {
				found = append(found, item)
			}
		}
		if len(found) > 1 {
			e := &query.AmbiguousError{Kind: s.Kind.words, Name: word}
			for _, item := range found {
				id, _ := item["id"].(string)
				e.IDs = append(e.IDs, id)
			}
			return nil, e
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return nil, &query.NotFoundError{Kind: s.Kind.words, Name: word}
}

// InvalidError is a token that Konnect's API does not allow.
type InvalidError struct{ Kind, Reason string }

// Error says why.
func (e *InvalidError) Error() string { return e.Kind + ": " + e.Reason }

// Create creates a token that is good for some time from now.
func (s Service) Create(ctx context.Context, name string, lifetime time.Duration, now time.Time) (*Created, error) {
	body, err := s.body(name, lifetime, now)
	if err != nil {
		return nil, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.call(ctx, http.MethodPost, owner, "", body)
	if err != nil {
		return nil, err
	}
	made, _ := res.Body.(map[string]any)
	out := &Created{Name: name}
	out.ID, _ = made["id"].(string)
	out.Token, _ = made[s.Kind.field].(string)
	out.ExpiresAt, _ = made["expires_at"].(string)
	if s.Kind.account {
		out.Account = owner
	}
	if out.Token == "" {
		return nil, &client.AnswerError{Method: http.MethodPost, Path: s.Kind.path, Status: res.Status, Reason: "without a token"}
	}
	return out, nil
}

// body is what a create sends. Where the API takes a lifetime, the clock of this
// machine does not matter.
func (s Service) body(name string, lifetime time.Duration, now time.Time) (map[string]any, error) {
	invalid := func(format string, args ...any) error {
		return &InvalidError{Kind: s.Kind.words, Reason: fmt.Sprintf(format, args...)}
	}
	op, _, err := s.operation(http.MethodPost, "owner", "")
	if err != nil {
		return nil, err
	}
	body := map[string]any{"name": name}
	const seconds = "ttl_seconds"
	if schema := withField(op.Body(), seconds); schema == nil {
		body["expires_at"] = now.Add(lifetime).UTC().Format(time.RFC3339)
	} else {
		n := float64(lifetime / time.Second)
		if least, most := schema.Minimum, schema.Maximum; least != nil && n < *least || most != nil && n > *most {
			return nil, invalid("Konnect allows a lifetime from %s to %s, got %s", days(least), days(most), span(lifetime))
		}
		body[seconds] = json.Number(strconv.FormatFloat(n, 'f', 0, 64))
	}
	if vs := op.ValidateBody(body, nil); len(vs) > 0 {
		return nil, invalid("%s: %s", strings.Join(vs[0].Path, "."), vs[0].Detail)
	}
	return body, nil
}

// withField is the schema of a field in one of the forms of a body, or nil.
func withField(body *contract.Schema, name string) *contract.Schema {
	for _, form := range append([]*contract.Schema{body.Deref()}, body.Deref().Branches()...) {
		if f := form.Deref().Properties[name]; f != nil {
			return f.Deref()
		}
	}
	return nil
}

func days(seconds *float64) string {
	const day = 24 * 60 * 60
	if seconds == nil {
		return "any"
	}
	return strconv.FormatFloat(*seconds/day, 'f', -1, 64) + "d"
}

// span is a lifetime as people write it: days where it is some, and no units of zero.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	text := d.String()
	if d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Found is a token that exists, and whose it is: Account where that is a system
// account.
type Found struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Owner   string `json:"-"`
	Account string `json:"system_account_id,omitempty"`
}

// Find finds one token by its name or id.
func (s Service) Find(ctx context.Context, word string) (*Found, error) {
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	items, err := s.list(ctx, owner)
	if err != nil {
		return nil, err
	}
	one, err := s.pick(items, word)
	if err != nil {
		return nil, err
	}
	out := &Found{Owner: owner}
	out.ID, _ = one["id"].(string)
	out.Name, _ = one["name"].(string)
	if s.Kind.account {
		out.Account = owner
	}
	return out, nil
}

// Delete deletes a token that was found.
func (s Service) Delete(ctx context.Context, t *Found) error {
	_, err := s.call(ctx, http.MethodDelete, t.Owner, t.ID, nil)
	return err
}
