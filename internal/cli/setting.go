package cli

import (
	"slices"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan/guard"
	"github.com/kongctl/kongctl/internal/profile"
)

// settingOfFlag are the settings that flags set.
var settingOfFlag = map[string]string{
	"pat":           profile.Token,
	"region":        profile.Region,
	"base-url":      profile.BaseURL,
	"base-auth-url": profile.BaseAuthURL,
	"exit-codes":    settingExitCodes,
	"annotations":   settingAnnotations,

	"machine-client-id": settingClientID,
	"auth-path":         settingAuthPath,
	"token-path":        settingTokenPath,
	"refresh-path":      settingRefreshPath,
	"login-store":       settingLoginStore,

	"max-concurrency": "max-concurrency",
	"prune":           settingPrune,
	"max-deletes":     settingMaxDeletes,
	"data":            settingData,
	"deck-mode":       settingDeckMode,
	"deck-path":       settingDeckPath,
	"log-level":       settingLogLevel,
	"log-format":      settingLogFormat,
	"log-file":        settingLogFile,
	"verify-key":      settingVerifyKey,
	"max-age":         settingMaxAge,
	"policy":          settingPolicy,

	"http-retry-max-attempts":     settingRetryAttempts,
	"http-retry-initial-interval": settingRetryFirst,
	"http-retry-max-interval":     settingRetryMost,
	"http-retry-backoff-factor":   settingRetryFactor,
}

const (
	settingPrune      = "konnect.declarative.prune"
	settingMaxDeletes = "konnect.declarative.max-deletes"
	settingData       = "local.data"
	settingDeckMode   = "deck.mode"
	settingDeckPath   = "deck.path"
	settingLogLevel   = "log-level"
	settingLogFormat  = "log-format"
	settingLogFile    = "log-file"
	settingVerifyKey  = "plan.verify-key"
	settingMaxAge     = "plan.max-age"
	settingPolicy     = "plan.policy"
	settingExitCodes  = "exit-codes"

	settingClientID    = "konnect.machine-client-id"
	settingAuthPath    = "konnect.auth-path"
	settingTokenPath   = "konnect.token-path"
	settingRefreshPath = "konnect.refresh-path"
	settingLoginStore  = "konnect.login-store"
	settingAnnotations = "annotations"

	settingRetryAttempts = "http-retry.max-attempts"
	settingRetryFirst    = "http-retry.initial-interval"
	settingRetryMost     = "http-retry.max-interval"
	settingRetryFactor   = "http-retry.backoff-factor"
)

// settingForms says what each setting takes, and what it is where nobody sets it.
var settingForms = map[string]settingForm{
	profile.Token:       {want: "one word of visible characters", fits: auth.IsTokenText},
	profile.Region:      words("us", profile.Regions()...),
	profile.BaseURL:     {want: "a URL such as https://us.api.konghq.com", fits: isURL},
	profile.BaseAuthURL: {want: "a URL such as https://global.api.konghq.com", fits: isURL},
	settingPrune:        words(engine.PruneFull, engine.PruneFull, engine.PruneDeclared, engine.PruneNone),
	settingMaxDeletes:   {want: "a number such as 10, or a percentage such as 5%", fits: guard.ValidMaxDeletes},

	settingClientID:    {fallback: "344f59db-f401-4ce7-9407-00a0823fbacf"}, // a public id: it opens nothing
	settingAuthPath:    urlPath("/v3/internal/oauth/device/authorize"),
	settingTokenPath:   urlPath("/v3/internal/oauth/device/token"),
	settingRefreshPath: urlPath("/kauth/api/v1/refresh"),
	settingLoginStore:  words(storeAuto, storeAuto, auth.InKeyring, auth.InFile),

	settingRetryAttempts: whole("6"),
	settingRetryFirst:    duration("500ms"),
	settingRetryMost:     duration("20s"),
	settingRetryFactor:   {fallback: "2", want: "a number from 1", fits: isFactor},

	settingExitCodes:     words(exitsDetailed, exitsDetailed, exitsSimple),
	settingAnnotations:   words(annotateAuto, annotateAuto, annotateGitHub, annotateNone),
	"max-concurrency":    whole("16"),
	settingDeckMode:      words(engine.GatewayNative, engine.GatewayNative, engine.GatewayCLI),
	settingDeckPath:      {},
	settingVerifyKey:     {want: "an absolute path", fits: isAbsolute},
	settingPolicy:        {want: "absolute paths, separated by commas", fits: areAbsolute},
	settingMaxAge:        {fallback: "7d", want: "days or hours, such as 7d or 12h, or 0 for no limit", fits: isAge},
	settingData:          {},
	settingKubeconfig:    {},
	settingKubeContext:   {},
	settingKubeNamespace: {},
	settingLogLevel:      words("warn", "trace", "debug", "info", "warn", "error"),
	settingLogFormat:     words("text", "text", "json"),
	settingLogFile:       {},
}

// knownSettings are all that a profile may have, sorted.
func knownSettings() []string {
	known := make([]string, 0, len(settingForms))
	for name := range settingForms {
		known = append(known, name)
	}
	slices.Sort(known)
	return known
}

// gateway is how decK's part is done, by the settings.
func (f *factory) gateway() (engine.Gateway, error) {
	s, err := f.settings()
	if err != nil {
		return engine.Gateway{}, err
	}
	mode, origin, ok := s.Lookup(settingDeckMode)
	switch {
	case !ok, mode == "":
		mode = engine.GatewayNative
	case mode != engine.GatewayNative && mode != engine.GatewayCLI:
		return engine.Gateway{}, usagef("invalid value %q for deck-mode (%s): use native or cli", mode, origin)
	}
	return engine.Gateway{Mode: mode, Path: s.String(settingDeckPath), Env: f.world.env}, nil
}
