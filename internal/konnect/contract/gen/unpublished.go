package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// addFields adds fields that Konnect takes and the document leaves out of schemas
// that allow any.
func addFields(f *file) {
	names := func() map[string]any {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	for schema, fields := range map[string]map[string]any{
		// The servers whose tools a listener offers, by name.
		"AIGatewayMCPServerListener": {"sources": names()},
	} {
		s, _ := f.Schemas[schema].(map[string]any)
		props, _ := s["properties"].(map[string]any)
		if props != nil {
			maps.Copy(props, fields)
		}
	}
}

// addUnpublished adds operations that Konnect has and the document leaves out.
func addUnpublished(f *file) error {
	if err := addCredentials(f); err != nil {
		return err
	}
	addDestinations(f)
	sort.Slice(f.Operations, func(i, j int) bool {
		if f.Operations[i].Path != f.Operations[j].Path {
			return f.Operations[i].Path < f.Operations[j].Path
		}
		return f.Operations[i].Method < f.Operations[j].Method
	})
	return nil
}

// addDestinations adds the list of the destinations of audit logs. It has the pages
// of the list of users beside it, and no filter that is known.
func addDestinations(f *file) {
	const like, name = "/v3/users", "AuditLogDestination"
	for _, op := range f.Operations {
		if op.Method != "GET" || op.Path != like {
			continue
		}
		readOnly := func(format string) map[string]any {
			return map[string]any{"type": "string", "format": format, "readOnly": true}
		}
		f.Schemas[name] = map[string]any{
			"type": "object", "required": []any{"id", "name"},
			"properties": map[string]any{
				"id": readOnly("uuid"), "name": map[string]any{"type": "string"}, "endpoint": map[string]any{"type": "string"},
				"log_format": map[string]any{"type": "string"}, "skip_ssl_verification": map[string]any{"type": "boolean"},
				"created_at": readOnly("date-time"), "updated_at": readOnly("date-time"),
			},
		}
		op.ID, op.Path, op.Unpublished = "list-audit-log-destinations", "/v3/audit-log-destinations", true
		op.Params = slices.DeleteFunc(slices.Clone(op.Params), func(p param) bool { return !strings.HasPrefix(p.Name, "page[") })
		op.Responses = map[string]any{"200": map[string]any{
			"type": "object",
			"properties": map[string]any{
				"data": map[string]any{"type": "array", "items": map[string]any{"$ref": name}},
				"meta": map[string]any{"$ref": "PaginatedMeta"},
			},
		}, "401": nil, "403": nil}
		f.Operations = append(f.Operations, op)
		return
	}
}

// addCredentials adds the OAuth2 credentials of consumers: their operations are those
// of the other credentials, and their fields those of the gateway's oauth2 plugin.
func addCredentials(f *file) error {
	const like, nested, list, name = "HMACAuth", "/hmac-auth", "/hmac-auths", "OAuth2Credential"
	var added []operation
	for _, op := range f.Operations {
		if !strings.Contains(op.Path, "/core-entities/") || !strings.Contains(op.Path, nested) {
			continue
		}
		raw, err := json.Marshal(op)
		if err != nil {
			return err
		}
		text := strings.NewReplacer(list, "/oauth2", nested, "/oauth2", "hmac-auth", "oauth2-credential", like, name).Replace(string(raw))
		var with operation
		if err := json.Unmarshal([]byte(text), &with); err != nil {
			return fmt.Errorf("%s %s: %w", op.Method, op.Path, err)
		}
		with.Unpublished = true
		added = append(added, with)
	}
	if len(added) == 0 {
		return nil // a document without gateways
	}
	for _, s := range []string{name, name + "WithoutParents"} {
		f.Schemas[s] = oauth2Credential(s != name)
	}
	f.Operations = append(f.Operations, added...)
	return nil
}

// oauth2Credential is the schema of a credential; secrets are marked in requests.
func oauth2Credential(request bool) map[string]any {
	text := func() map[string]any { return map[string]any{"type": "string", "nullable": true} }
	texts := func() map[string]any {
		return map[string]any{"type": "array", "nullable": true, "items": map[string]any{"type": "string"}}
	}
	secret := text()
	secret["encrypted"] = true
	if request {
		secret["secret"] = true
	}
	return map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"name"},
		"properties": map[string]any{
			"id": text(), "name": map[string]any{"type": "string"}, "client_id": text(), "client_secret": secret,
			"client_type":   map[string]any{"type": "string", "enum": []any{"confidential", "public"}, "default": "confidential"},
			"hash_secret":   map[string]any{"type": "boolean", "default": false},
			"redirect_uris": texts(), "tags": texts(),
			"created_at": map[string]any{"type": "integer", "nullable": true},
			"consumer":   map[string]any{"type": "object", "nullable": true, "properties": map[string]any{"id": map[string]any{"type": "string"}}},
		},
	}
}
