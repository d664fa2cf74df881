package target

import "errors"

// Uncertain tells of an error after which nobody can say whether the write was
// done: the answer was lost, or the service failed on the way.
func Uncertain(err error) bool {
	var u interface{ Uncertain() bool }
	return errors.As(err, &u) && u.Uncertain()
}

// Fatal tells of an error that every further request would meet too.
func Fatal(err error) bool {
	var f interface{ Fatal() bool }
	return errors.As(err, &f) && f.Fatal()
}
