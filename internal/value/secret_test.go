package value_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

func TestNamesSecret(t *testing.T) {
	for name, want := range map[string]struct{ names, mentions bool }{
		"password": {true, true}, "redis_password": {true, true}, "Client-Secret": {true, true}, "aws.access_key_id": {true, true},
		"password_field_name": {false, true}, "mypassword": {false, true}, "name": {false, false}, "": {false, false},
	} {
		if got := value.NamesSecret(name); got != want.names {
			t.Errorf("%s names a secret: %v", name, got)
		}
		if got := value.MentionsSecret(name); got != want.mentions {
			t.Errorf("%s mentions a secret: %v", name, got)
		}
	}
}

func TestHidePassword(t *testing.T) {
	for text, want := range map[string]string{
		"http://user:pass@host/x":          "http://user:***@host/x",
		"/x?api_key=K&y=1":                 "/x?api_key=***&y=1",
		"https://h/x?a=1&access_token=t#f": "https://h/x?a=1&access_token=***#f",
		"http://u:p@h?client-secret=s":     "http://u:***@h?client-secret=***",
		"GET /x?token=t answered 400":      "GET /x?token=*** answered 400",
		"/x?api_key={vault://env/key}":     "/x?api_key={vault://env/key}",
		"/x?page=2&sort_token_by=name":     "/x?page=2&sort_token_by=name",
		"~/a?(token=b)":                    "~/a?(token=b)",
		"api_key=K":                        "api_key=K",
		"/x?api_key=":                      "/x?api_key=",
		"/x?api_key=***":                   "/x?api_key=***",
	} {
		if got := value.HidePassword(text, "***"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
