package diff_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// cluster is a type that the catalog does not have: a child with labels and
// with lists whose elements have defaults.
func cluster(t *testing.T) *catalog.Bound {
	t.Helper()
	gateway := &catalog.Type{Kind: "gateway", Key: "gateways", Identity: []string{"name"}, Path: "/v1/event-gateways"}
	child := &catalog.Type{
		Kind: "cluster", Key: "clusters", ChildOf: gateway, Identity: []string{"name"},
		Path: "/v1/event-gateways/{gatewayId}/virtual-clusters", Unordered: []string{"namespace.additional.topics"},
	}
	cat, err := catalog.New(testkit.Catalog(t).Contract, []*catalog.Type{gateway, child})
	if err != nil {
		t.Fatal(err)
	}
	return cat.Kind("cluster")
}

func TestDefaultsInElements(t *testing.T) {
	for _, r := range []row{
		{
			name:    "elements that the service filled are the same",
			desired: `{"topic_aliases":[{"alias":"a","topic":"t"}]}`,
			current: `{"topic_aliases":[{"alias":"a","topic":"t","condition":"","conflict":"warn"}]}`,
		},
		{
			name:    "a value that is not the default is not",
			desired: `{"topic_aliases":[{"alias":"a","topic":"t"}]}`,
			current: `{"topic_aliases":[{"alias":"a","topic":"t","conflict":"ignore"}]}`,
			want:    []string{`topic_aliases: [{"alias":"a","conflict":"ignore","topic":"t"}] > [{"alias":"a","topic":"t"}]`},
		},
		{
			name:    "secrets are not compared",
			desired: `{"authentication":[{"type":"sasl_plain","mediation":"terminate","principals":[{"username":"a"}]}]}`,
			current: `{"authentication":[{"type":"sasl_plain","mediation":"terminate","principals":[{"username":"a","password":"masked"}]}]}`,
		},
		{
			name:    "what only responses have in elements is not compared",
			desired: `{"topic_aliases":[{"alias":"a","topic":"t"}]}`,
			current: `{"topic_aliases":[{"alias":"a","topic":"t","state":"ready","id":"1"}]}`,
		},
		{
			name:    "without order, too",
			desired: `{"namespace":{"additional":{"topics":[{"type":"glob","glob":"b"},{"type":"glob","glob":"a"}]}}}`,
			current: `{"namespace":{"additional":{"topics":[{"type":"glob","glob":"a","conflict":"warn"},{"type":"glob","glob":"b","conflict":"warn"}]}}}`,
		},
	} {
		t.Run(r.name, func(t *testing.T) {
			d := diff.Compare(cluster(t), decode(t, r.desired), decode(t, r.current), diff.Merge)
			if diff := cmp.Diff(r.want, lines(d)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Only roots have labels that mark what is managed; those of a child are
// fields like any other.
func TestLabelsOfAChild(t *testing.T) {
	desired, current := decode(t, `{"labels":{"a":"2"}}`), decode(t, `{"labels":{"a":"1","b":"1"}}`)
	if diff := cmp.Diff([]string{`labels.a: "1" > "2"`}, lines(diff.Compare(cluster(t), desired, current, diff.Merge))); diff != "" {
		t.Errorf("merge (-want +got):\n%s", diff)
	}
	want := []string{`labels.a: "1" > "2"`, `labels.b: "1" > null`}
	if diff := cmp.Diff(want, lines(diff.Compare(cluster(t), desired, current, diff.Whole))); diff != "" {
		t.Errorf("whole (-want +got):\n%s", diff)
	}
}

// What a PATCH replaces whole loses the parts that are left out; a merge leaves them.
func TestPartsOfWhatIsReplaced(t *testing.T) {
	desired := decode(t, `{"unit_cost":{"type":"llm","provider_property":"p","model":"gpt-4"}}`)
	current := decode(t, `{"unit_cost":{"type":"llm","provider":"openai","model":"gpt-4"}}`)
	added := `unit_cost.provider_property: null > "p"`
	if diff := cmp.Diff([]string{added}, lines(diff.Compare(kind(t, "metering_feature"), desired, current, diff.Merge))); diff != "" {
		t.Errorf("merge (-want +got):\n%s", diff)
	}
	d := diff.Compare(kind(t, "metering_feature"), desired, current, diff.Whole)
	if diff := cmp.Diff([]string{`unit_cost.provider: "openai" > null`, added}, lines(d)); diff != "" || !d.Changes[0].Omit || len(d.Kept) > 0 {
		t.Errorf("whole (-want +got):\n%s%+v", diff, d)
	}
}

// What is not known yet differs from everything, in every place.
func TestUnknownDiffers(t *testing.T) {
	for _, r := range []struct {
		kind    string
		desired map[string]any
		current string
		want    string
	}{
		{"portal", map[string]any{"default_application_auth_strategy_id": value.Unknown{}}, `{"default_application_auth_strategy_id":"x"}`, "default_application_auth_strategy_id"},
		{"api_publication", map[string]any{"auth_strategy_ids": []any{value.Unknown{}}}, `{"auth_strategy_ids":["x"]}`, "auth_strategy_ids"},
		{"portal_auth_settings", map[string]any{"oidc_scopes": []any{value.Unknown{}}}, `{"oidc_scopes":["[unknown]"]}`, "oidc_scopes"},
	} {
		d := diff.Compare(kind(t, r.kind), r.desired, decode(t, r.current), diff.Merge)
		if len(d.Changes) != 1 || d.Changes[0].Path.String() != r.want {
			t.Errorf("%s: %q", r.kind, lines(d))
		}
	}
}

func TestEvidenceOfACertificate(t *testing.T) {
	end := time.Date(2027, time.May, 4, 3, 2, 1, 0, time.UTC)
	cert, _ := testkit.Certificate(t, "dev", end)
	for _, r := range []struct {
		name    string
		written any
		seen    any
		differs bool
	}{
		{"it ends when the live one does", cert, "2027-05-04T03:02:01Z", false},
		{"the same moment in another zone", cert, "2027-05-04T05:02:01+02:00", false},
		{"it ends at another time", cert, "2028-05-04T03:02:01Z", true},
		{"the live one says nothing", cert, nil, false},
		{"the live one's time cannot be read", cert, "soon", false},
		{"what is written is no certificate", "not a certificate", "2027-05-04T03:02:01Z", false},
		{"what is written is not known yet", value.Unknown{}, "2027-05-04T03:02:01Z", false},
	} {
		t.Run(r.name, func(t *testing.T) {
			ssl := map[string]any{"domain_verification_method": "custom_certificate"}
			desired := map[string]any{"ssl": map[string]any{"domain_verification_method": "custom_certificate", "custom_certificate": r.written}}
			if r.seen != nil {
				ssl["expires_at"] = r.seen
			}
			for _, mode := range []diff.Mode{diff.Merge, diff.Whole} {
				d := diff.Compare(kind(t, "portal_custom_domain"), desired, map[string]any{"ssl": ssl}, mode)
				if d.Empty() == r.differs {
					t.Fatalf("got %q", lines(d))
				}
				if r.differs && (!d.Replace() || !d.Changes[0].Hidden || d.Changes[0].Old != r.seen) {
					t.Errorf("it must be replaced, with what was seen as evidence: %+v", d.Changes)
				}
			}
		})
	}
}
