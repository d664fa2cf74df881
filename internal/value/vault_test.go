package value

import "testing"

// A reference is all of a text: what stands around one may be a secret.
func TestFromVault(t *testing.T) {
	for text, want := range map[string]bool{
		`${vault.env["X"]}`:                       true,
		`${vault.env['X']}`:                       true,
		`${vault["env"]["scram-password"]}`:       true,
		`${ vault.env["X"] }`:                     true,
		`${env["KAFKA_PASSWORD"]}`:                true,
		`${env['X']}`:                             true,
		`{vault://env/name}`:                      true,
		`{vault://env/name/key?prefix=X}`:         true,
		`{vault://a/b}hunter2{vault://c/d}`:       false,
		`${vault.env["X"]}hunter2${vault.e["X"]}`: false,
		`hunter2${env["X"]}`:                      false,
		`${env["X"]}hunter2`:                      false,
		`${env["X"] + "hunter2"}`:                 false,
		`${vault.env["X"] || "hunter2"}`:          false,
		`${environment["X"]}`:                     false,
		`${env}`:                                  false,
		`${}`:                                     false,
		`hunter2`:                                 false,
	} {
		if got := FromVault(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
