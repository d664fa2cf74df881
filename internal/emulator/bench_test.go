package emulator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kongctl/internal/emulator"
)

func benchServer(b *testing.B, store emulator.Store) *emulator.Server {
	b.Helper()
	cat, err := loadCatalog()
	if err != nil {
		b.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Store: store})
	if err != nil {
		b.Fatal(err)
	}
	return srv
}

func ask(b *testing.B, h http.Handler, want int, method, path, body string) {
	req := httptest.NewRequestWithContext(b.Context(), method, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	if w.Code != want {
		b.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
}

func BenchmarkListTen(b *testing.B) {
	srv := benchServer(b, emulator.NewMemory())
	for i := range 10 {
		ask(b, srv, http.StatusCreated, http.MethodPost, "/v3/portals", fmt.Sprintf(`{"name":"p%d","labels":{"a":"b"}}`, i))
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ask(b, srv, http.StatusOK, http.MethodGet, "/v3/portals", "")
		}
	})
}

func BenchmarkDurableWrite(b *testing.B) {
	store, err := emulator.OpenBolt(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	}()
	srv := benchServer(b, store)
	var n atomic.Int64
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ask(b, srv, http.StatusCreated, http.MethodPost, "/v3/portals", fmt.Sprintf(`{"name":"p%d"}`, n.Add(1)))
		}
	})
}
