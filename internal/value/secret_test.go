package value_test

import (
	"testing"

	"kongctl/internal/value"
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
