// Package bench measures what the embedded Konnect can do, the gateway's part in
// process against it, and the program against a real Kubernetes API server.
//
// In: the programs that `make kube` builds. Out: figures, each beside a floor that the same machine reached
// in the same run, for only the two together say something. It must never
// import the engine, and asserts nothing about time.
package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// clients is how many connections ask at the same time.
const clients = 32

var loadCatalog = sync.OnceValues(catalog.Load)

func newServer(b *testing.B, kept store.Store) *emulator.Server {
	b.Helper()
	cat, err := loadCatalog()
	if err != nil {
		b.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Store: kept})
	if err != nil {
		b.Fatal(err)
	}
	return srv
}

// serve answers on loopback until the benchmark ends.
func serve(b *testing.B, h http.Handler) (url string, c *http.Client) {
	b.Helper()
	ln, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(b.Context()))
	done := make(chan error, 1)
	go func() { done <- emulator.Serve(ctx, ln, h) }()
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	b.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	return "http://" + ln.Addr().String(), &http.Client{Transport: transport}
}

func ask(b *testing.B, c *http.Client, want int, method, url, body string) []byte {
	req, err := http.NewRequestWithContext(b.Context(), method, url, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want {
		b.Errorf("%s %s: %d %s %v", method, url, resp.StatusCode, raw, err)
	}
	return raw
}

// concurrently runs f b.N times, by all clients together, and returns how often
// a second.
func concurrently(b *testing.B, f func(n int64)) float64 {
	var next atomic.Int64
	b.SetParallelism(max(1, clients/runtime.GOMAXPROCS(0)))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			f(next.Add(1))
		}
	})
	b.StopTimer()
	return float64(b.N) / b.Elapsed().Seconds()
}

// beside reports a rate and what part of the floor it is.
func beside(b *testing.B, rate, floor float64) {
	b.ReportMetric(rate, "per_s")
	if floor > 0 {
		b.ReportMetric(rate/floor, "of_floor")
	}
}

// Lists of ten items over HTTP; the floor is a handler that knows the bytes.
func BenchmarkListTen(b *testing.B) {
	srv := newServer(b, store.NewMemory())
	url, c := serve(b, srv)
	for i := range 10 {
		ask(b, c, http.StatusCreated, http.MethodPost, url+"/v3/portals", portal(int64(i)))
	}
	list := url + "/v3/portals"
	bytes := ask(b, c, http.StatusOK, http.MethodGet, list, "")
	var floor float64
	b.Run("floor", func(b *testing.B) {
		url, c := serve(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(bytes)
		}))
		floor = concurrently(b, func(int64) { ask(b, c, http.StatusOK, http.MethodGet, url+"/v3/portals", "") })
		beside(b, floor, 0)
	})
	b.Run("konnect", func(b *testing.B) {
		beside(b, concurrently(b, func(int64) { ask(b, c, http.StatusOK, http.MethodGet, list, "") }), floor)
	})
}

func portal(n int64) string {
	return fmt.Sprintf(`{"name":"portal-%d","display_name":"Portal %d","description":"A portal for developers","labels":{"team":"web","stage":"dev"}}`, n, n)
}

// Writes over HTTP, each answered once it is on the disk; the floor is bbolt
// itself, grouping as many writers.
func BenchmarkDurableWrite(b *testing.B) {
	var floor float64
	b.Run("floor", func(b *testing.B) {
		db, err := bbolt.Open(filepath.Join(b.TempDir(), "floor.db"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
		if err != nil {
			b.Fatal(err)
		}
		defer closing(b, db)
		if err := db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("x")); return err }); err != nil {
			b.Fatal(err)
		}
		db.MaxBatchSize, db.MaxBatchDelay = clients, time.Millisecond
		value := bytes.Repeat([]byte("x"), 500)
		floor = concurrently(b, func(n int64) {
			if err := db.Batch(func(tx *bbolt.Tx) error {
				return tx.Bucket([]byte("x")).Put([]byte("portal-"+strconv.FormatInt(n*7919, 36)), value)
			}); err != nil {
				b.Error(err)
			}
		})
		beside(b, floor, 0)
	})
	b.Run("konnect", func(b *testing.B) {
		kept, err := store.Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		defer closing(b, kept)
		url, c := serve(b, newServer(b, kept))
		beside(b, concurrently(b, func(n int64) {
			ask(b, c, http.StatusCreated, http.MethodPost, url+"/v3/portals", portal(n))
		}), floor)
	})
}

func closing(b *testing.B, c io.Closer) {
	if err := c.Close(); err != nil {
		b.Error(err)
	}
}

const manyResources = 100_000

// Memory with a hundred thousand resources in a file; the floor is the bytes of
// their JSON.
func BenchmarkMemory(b *testing.B) {
	dir := b.TempDir()
	text := fillStore(b, dir)
	for b.Loop() {
		before := heap()
		start := time.Now()
		kept, err := store.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		srv := newServer(b, kept)
		took := time.Since(start)
		used := heap() - before
		b.ReportMetric(float64(used)/(1<<20), "heap_MB")
		b.ReportMetric(float64(resident())/(1<<20), "rss_MB")
		b.ReportMetric(float64(used)/float64(text), "of_json")
		b.ReportMetric(took.Seconds(), "open_s")
		runtime.KeepAlive(srv)
		if err := kept.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// fillStore writes the resources and returns the size of their JSON.
func fillStore(b *testing.B, dir string) (size int) {
	b.Helper()
	kept, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer closing(b, kept)
	srv := newServer(b, kept)
	client := &http.Client{Transport: emulator.Transport(srv)}
	size = len(ask(b, client, http.StatusCreated, http.MethodPost, "http://localhost/v3/portals", portal(0))) * manyResources
	var model *store.Record
	if err := kept.View(func(tx store.Tx) error {
		for _, kind := range tx.Kinds() {
			tx.Range(kind, "", func(r *store.Record) bool {
				if r.Fields["display_name"] == "Portal 0" {
					model = r
				}
				return true
			})
		}
		return nil
	}); err != nil || model == nil {
		b.Fatal("the portal is not in the store", err)
	}
	for from := 1; from < manyResources; from += 1000 {
		if err := kept.Update(func(tx store.Tx) error {
			for i := from; i < min(from+1000, manyResources); i++ {
				tx.Put(another(model, i))
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	return size
}

// another is a record like a model, sharing nothing that a real one would not.
func another(model *store.Record, i int) *store.Record {
	r := *model
	r.ID = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	name := fmt.Sprintf("portal-%d", i)
	r.Unique = "\x00" + name
	r.Created = model.Created.Add(time.Duration(i) * time.Millisecond)
	r.Fields = map[string]any{}
	for k, v := range model.Fields {
		r.Fields[k] = v
	}
	r.Fields["name"] = name
	return &r
}

// heap is the memory that is in use after the garbage is gone.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// resident is the memory that the system counts for this process; 0 where it
// does not tell.
func resident() int {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}
