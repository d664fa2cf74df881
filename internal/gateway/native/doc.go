// Package native brings the configuration of gateways about in process, on the
// library that decK itself is made of.
//
// In: a client for Konnect, and requests of package gateway. Out: the changes
// they would make or made, or a *gateway.Error. Every request to the service
// goes through our client. It must never print, read files or the environment,
// or show a secret. The build tag nonative leaves the library out; then every
// call fails and says so (docs/adr/0009-native-deck.md).
package native
