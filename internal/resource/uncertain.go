package resource

import "errors"

// Uncertain tells of an error after which nobody can say whether the write was
// done: the answer was lost, or the service failed on the way.
func Uncertain(err error) bool {
	var u interface{ Uncertain() bool }
	return errors.As(err, &u) && u.Uncertain()
}

// Lingering reports whether the service may still carry out the request that
// gave an error, at any later time.
func Lingering(err error) bool {
	var l interface{ Lingering() bool }
	return errors.As(err, &l) && l.Lingering()
}

// Unsent reports whether a request surely did not reach the service.
func Unsent(err error) bool {
	var u interface{ Unsent() bool }
	return errors.As(err, &u) && u.Unsent()
}

// Missing tells that what was asked for, or what it stands below, is not there.
func Missing(err error) bool {
	var m interface{ Missing() bool }
	return errors.As(err, &m) && m.Missing()
}

// Denied tells that whoever asks may not.
func Denied(err error) bool {
	var d interface{ Denied() bool }
	return errors.As(err, &d) && d.Denied()
}

// Rejected reports whether the service refuses what a request says: sending it
// again cannot help.
func Rejected(err error) bool {
	var r interface{ Rejected() bool }
	return errors.As(err, &r) && r.Rejected()
}

// Refused reports whether a rule of this program forbids it, not the service.
func Refused(err error) bool {
	var r interface{ Refused() bool }
	return errors.As(err, &r) && r.Refused()
}

// Misconfigured reports whether what says where the service is, or who asks, is
// wrong by itself: nothing was asked.
func Misconfigured(err error) bool {
	var m interface{ Misconfigured() bool }
	return errors.As(err, &m) && m.Misconfigured()
}

// Taken tells that there is one already.
func Taken(err error) bool {
	var t interface{ Taken() bool }
	return errors.As(err, &t) && t.Taken()
}

// Fatal tells of an error that every further request would meet too.
func Fatal(err error) bool {
	var f interface{ Fatal() bool }
	return errors.As(err, &f) && f.Fatal()
}

// Unauthorized reports whether the token is missing, wrong or not allowed to do
// this.
func Unauthorized(err error) bool {
	var u interface{ Unauthorized() bool }
	return errors.As(err, &u) && u.Unauthorized()
}

// Withheld reports whether the service does not have something, or keeps it from this
// token.
func Withheld(err error) bool {
	var w interface{ Withheld() bool }
	return errors.As(err, &w) && w.Withheld()
}

// TokenRefused reports whether the service does not accept the token at all.
func TokenRefused(err error) bool {
	var t interface{ TokenRefused() bool }
	return errors.As(err, &t) && t.TokenRefused()
}

// Silence is a host that gave no answer, after so many attempts, and why.
type Silence struct {
	Host     string
	Attempts int
	Cause    error
}

// Unreachable returns which host gave no answer; false for other errors, and where
// the caller gave up.
func Unreachable(err error) (Silence, bool) {
	var u interface{ Unreachable() (Silence, bool) }
	if !errors.As(err, &u) {
		return Silence{}, false
	}
	return u.Unreachable()
}
