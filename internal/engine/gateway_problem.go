package engine

import (
	"context"
	"errors"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// GatewayTool is what people call the tool that configures gateways.
const GatewayTool = "decK"

// GatewayKey is the key of a control plane that says what that tool does.
const GatewayKey = gateway.ExtraKey

// WrongFile reports whether a decK file is wrong by itself, whoever is asked.
func WrongFile(err error) bool {
	var failed *gateway.Error
	return errors.As(err, &failed) && failed.File
}

// FileProblem puts an error of decK into the form of a diagnostic: the file is
// what people can correct. What is not decK's own, the network says better.
func FileProblem(err error) (diag.Diagnostic, bool) {
	var (
		failed  *gateway.Error
		missing *deck.NotFoundError
		version *deck.VersionError
	)
	if !errors.As(err, &failed) || errors.Is(err, context.Canceled) || resource.Unauthorized(err) {
		return diag.Diagnostic{}, false
	}
	if _, unreachable := resource.Unreachable(err); unreachable {
		return diag.Diagnostic{}, false
	}
	pos := failed.Pos
	if pos.File == "" && len(failed.Files) > 0 {
		pos = value.Pos{File: failed.Files[0]}
	}
	if errors.As(err, &missing) && missing.Path != "" {
		return diag.New(diag.DeckBinary, pos, missing.Error()+".", "correct --deck-path, or use --deck-mode native."), true
	}
	if errors.As(err, &missing) {
		return diag.New(diag.DeckNoBinary, pos, missing.Error()+", and --deck-mode cli needs it.", "install decK, name it with --deck-path, or use --deck-mode native."), true
	}
	if errors.As(err, &version) {
		return diag.New(diag.DeckBinary, pos, version.Error()+".", "install a version that is supported, name it with --deck-path, or use --deck-mode native."), true
	}
	return diag.New(diag.DeckFailed, pos, failed.Error(), "correct the file or fix the error above, and run the command again."), true
}
