package intercept

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

const (
	firstByte = 10 * time.Second
	// handshake is the first byte of every TLS connection, and of no request.
	handshake = 0x16
)

// Serve answers on one listener until ctx ends: plain HTTP, TLS in the name of
// Konnect's hosts, and as their proxy.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, a *Authority) error {
	plain, secure := newQueue(ln.Addr()), newQueue(ln.Addr())
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return emulator.Serve(ctx, plain, proxy{h, secure}) })
	group.Go(func() error { return emulator.Serve(ctx, tls.NewListener(secure, a.config()), h) })
	group.Go(func() error { return accept(ctx, ln, plain, secure) })
	group.Go(func() error {
		<-ctx.Done()
		return ln.Close()
	})
	return group.Wait()
}

// accept sorts connections by their first byte.
func accept(ctx context.Context, ln net.Listener, plain, secure *queue) error {
	for {
		conn, err := ln.Accept()
		switch {
		case ctx.Err() != nil && err == nil:
			return conn.Close()
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the listener was closed because the time has come
		case err != nil:
			return err
		}
		go func() {
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // nobody is left to ask
			defer stop()
			in := bufio.NewReader(conn)
			_ = conn.SetReadDeadline(time.Now().Add(firstByte)) // a connection that is gone tells on the next line
			first, err := in.Peek(1)
			if err != nil {
				_ = conn.Close() // nothing was asked
				return
			}
			_ = conn.SetReadDeadline(time.Time{})
			to := plain
			if first[0] == handshake {
				to = secure
			}
			to.put(peeked{conn, in})
		}()
	}
}

// queue is a listener whose connections are handed to it.
type queue struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newQueue(addr net.Addr) *queue {
	return &queue{addr: addr, conns: make(chan net.Conn), done: make(chan struct{})}
}

func (q *queue) put(conn net.Conn) {
	select {
	case q.conns <- conn:
	case <-q.done:
		_ = conn.Close() // the server has ended
	}
}

// Accept waits for the next connection.
func (q *queue) Accept() (net.Conn, error) {
	select {
	case conn := <-q.conns:
		return conn, nil
	case <-q.done:
		return nil, net.ErrClosed
	}
}

// Close ends the queue.
func (q *queue) Close() error {
	q.once.Do(func() { close(q.done) })
	return nil
}

// Addr is the address that the connections came to.
func (q *queue) Addr() net.Addr { return q.addr }
