// Package kubetest runs a real Kubernetes API server for tests.
//
// In: the programs that `make kube` builds (etcd, kube-apiserver,
// kube-controller-manager). Out: a cluster on loopback in a folder of its own,
// the kubeconfig files that lead to it, and the means to disturb it. There are no
// nodes: a small stand-in for the kubelet marks pods as running. It must never
// import the program's packages: what it starts is what a user would meet.
package kubetest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// patience bounds every wait for a process.
const patience = 60 * time.Second

// Options choose what runs besides etcd and the API server.
type Options struct {
	Controllers bool // kube-controller-manager: namespaces end, owners' objects go, Deployments make pods
	Kubelet     bool // the stand-in that marks pods as running
}

// Server is a cluster without nodes.
type Server struct {
	dir, etcdURL, url   string
	token, limitedToken string
	client              *http.Client

	mu               sync.Mutex
	etcd, api, other *process
	stopKubelet      func()
}

// Start starts a cluster and waits until it answers. Stop ends it.
func Start(o Options) (*Server, error) {
	dir, err := os.MkdirTemp("", "kubetest-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, token: secret(), limitedToken: secret()}
	if err := s.start(o); err != nil {
		return nil, errors.Join(err, s.Stop(true))
	}
	return s, nil
}

func (s *Server) start(o Options) error {
	if err := s.files(); err != nil {
		return err
	}
	etcd, err := freePort()
	if err != nil {
		return err
	}
	api, err := freePort()
	if err != nil {
		return err
	}
	s.etcdURL, s.url = fmt.Sprintf("http://127.0.0.1:%d", etcd), fmt.Sprintf("https://127.0.0.1:%d", api)
	if err := s.StartStorage(); err != nil {
		return err
	}
	if err := s.StartAPI(); err != nil {
		return err
	}
	if o.Controllers {
		if err := s.startControllers(); err != nil {
			return err
		}
	}
	if o.Kubelet {
		s.stopKubelet = s.kubelet()
	}
	return nil
}

// files writes what the programs want to read: tokens and the key of service
// accounts.
func (s *Server) files() error {
	tokens := fmt.Sprintf("%s,admin,admin,system:masters\n%s,%s,%s\n", s.token, s.limitedToken, Limited, Limited)
	if err := os.WriteFile(s.path("tokens.csv"), []byte(tokens), 0o600); err != nil {
		return err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return os.WriteFile(s.path("accounts.key"), pem.EncodeToMemory(block), 0o600)
}

// StartStorage starts etcd; it keeps what an earlier one wrote.
func (s *Server) StartStorage() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	peer, err := freePort()
	if err != nil {
		return err
	}
	peerURL := fmt.Sprintf("http://127.0.0.1:%d", peer)
	s.etcd, err = start(s.path("etcd.log"), "etcd",
		"--data-dir", s.path("etcd"), "--listen-client-urls", s.etcdURL, "--advertise-client-urls", s.etcdURL,
		"--listen-peer-urls", peerURL, "--initial-advertise-peer-urls", peerURL, "--initial-cluster", "default="+peerURL,
		"--unsafe-no-fsync", "--log-level", "warn")
	if err != nil {
		return err
	}
	return s.etcd.await(http.DefaultClient, s.etcdURL+"/health", "")
}

// StartAPI starts the API server at the address that it had before, and waits
// until it is ready.
func (s *Server) StartAPI() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, port, err := net.SplitHostPort(s.url[len("https://"):])
	if err != nil {
		return err
	}
	key := s.path("accounts.key")
	s.api, err = start(s.path("kube-apiserver.log"), "kube-apiserver",
		"--etcd-servers", s.etcdURL, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port", port,
		"--cert-dir", s.path("certs"), "--service-cluster-ip-range=10.0.0.0/16", "--token-auth-file", s.path("tokens.csv"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file", key, "--service-account-signing-key-file", key,
		"--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount", "--profiling=false",
		"--enable-priority-and-fairness=false", "--shutdown-delay-duration=0s", "--shutdown-send-retry-after=false")
	if err != nil {
		return err
	}
	// The certificate does not exist before the server has made it.
	probe := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, Timeout: 5 * time.Second}
	defer probe.CloseIdleConnections()
	if err := s.api.await(probe, s.url+"/readyz", s.token); err != nil {
		return err
	}
	if s.client == nil { // the certificate stays
		s.client, err = s.newClient()
	}
	return err
}

func (s *Server) startControllers() error {
	config := s.path("controllers.kubeconfig")
	if err := s.Kubeconfig(config, s.url, s.CA(), ""); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	s.other, err = start(s.path("kube-controller-manager.log"), "kube-controller-manager",
		"--kubeconfig", config, "--authentication-kubeconfig", config, "--authorization-kubeconfig", config, "--leader-elect=false",
		"--bind-address=127.0.0.1", "--secure-port", fmt.Sprint(port), "--cert-dir", s.path("controller-certs"), "--profiling=false",
		"--controllers=namespace-controller,garbage-collector-controller,deployment-controller,replicaset-controller,statefulset-controller,job-controller")
	if err != nil {
		return err
	}
	probe := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, Timeout: 5 * time.Second}
	defer probe.CloseIdleConnections()
	return s.other.await(probe, fmt.Sprintf("https://127.0.0.1:%d/healthz", port), "")
}

// KillAPI ends the API server without a goodbye.
func (s *Server) KillAPI() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.api.kill()
}

// Stop ends all processes and removes the folder. With keep, the logs stay, and
// the error says where.
func (s *Server) Stop(keep bool) error {
	if s.stopKubelet != nil {
		s.stopKubelet()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range []*process{s.other, s.api, s.etcd} {
		p.kill()
	}
	if !keep {
		return os.RemoveAll(s.dir)
	}
	for _, name := range []string{"etcd", "certs", "controller-certs", "tokens.csv", "accounts.key", "controllers.kubeconfig"} {
		if err := os.RemoveAll(s.path(name)); err != nil {
			return err
		}
	}
	return fmt.Errorf("the logs of the cluster are in %s", s.dir)
}

// URL is where the API server listens.
func (s *Server) URL() string { return s.url }

// CA is the file with the certificate that the API server shows.
func (s *Server) CA() string { return s.path("certs", "apiserver.crt") }

// Token is the administrator's.
func (s *Server) Token() string { return s.token }

func (s *Server) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

func (s *Server) newClient() (*http.Client, error) {
	pool, err := certificates(s.CA())
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 64,
	}}, nil
}

func certificates(file string) (*x509.CertPool, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("%s holds no certificate", file)
	}
	return pool, nil
}

// secret is a token that nobody else knows.
func secret() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
