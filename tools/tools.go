//go:build tools

// Package tools keeps the modules that development needs, and the product does
// not, in a module of their own.
//
// In: nothing. Out: entries in this folder's go.mod. It must never be imported.
package tools

// The contract is generated from the OpenAPI document in this module's folder.
import _ "github.com/Kong/sdk-konnect-go"
