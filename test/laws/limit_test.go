package laws

import (
	"runtime/debug"
	"testing"
)

// TestMain trades memory for time: the laws make many short-lived documents.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// Large schemas have hundreds of features and places: a law takes at most this
// many of them for one type, spread over all, so that the time of the laws
// grows with the number of types alone.
const (
	maxFeatures = 16 // of one type
	maxPlaces   = 30 // of one forged plan
)

// spread takes at most n of a list, first and last among them, at even
// distances.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}
