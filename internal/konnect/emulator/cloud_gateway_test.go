package emulator_test

import (
	"net/http"
	"strings"
	"testing"
)

// What a PATCH leaves open about its form, what is stored tells: the name of a resolver
// can be changed alone. What it is attached to stays of its kind.
func TestNameOfAPrivateDNS(t *testing.T) {
	w := newWorld(t)
	account := w.must(http.StatusOK, http.MethodGet, "/v2/cloud-gateways/provider-accounts", nil).data()[0]["id"]
	network := "/v2/cloud-gateways/networks/" + w.create("/v2/cloud-gateways/networks", object{
		"name": "n", "cloud_gateway_provider_account_id": account, "region": "us-east-2", "availability_zones": []any{"use2-az1"}, "cidr_block": "10.4.0.0/16",
	})
	servers := object{"a.internal": object{"remote_dns_server_ip_addresses": []any{"10.0.0.2"}}}
	attached := func(kind string) object { return object{"kind": kind, "dns_config": servers} }
	attach := func(config object) string {
		return network + "/private-dns/" + w.create(network+"/private-dns", object{"name": "r", "private_dns_attachment_config": config})
	}
	zone := attach(object{"kind": "aws-private-hosted-zone-attachment", "hosted_zone_id": "Z1"})
	w.must(http.StatusBadRequest, http.MethodPatch, zone, object{"name": "z2"})
	w.must(http.StatusNoContent, http.MethodDelete, zone, nil)
	for _, kind := range []string{"aws-outbound-resolver", "azure-outbound-resolver"} {
		path := attach(attached(kind))
		if got := w.must(http.StatusOK, http.MethodPatch, path, object{"name": "r2"}); got.text("name") != "r2" || got.text("private_dns_attachment_config", "kind") != kind {
			t.Errorf("after another name: %s", show(got.body))
		}
		other := strings.Replace("aws-outbound-resolver azure-outbound-resolver", kind, "", 1)
		w.must(http.StatusBadRequest, http.MethodPatch, path, object{"private_dns_attachment_config": attached(strings.TrimSpace(other))})
		w.must(http.StatusBadRequest, http.MethodPatch, path, object{"name": 5})
		w.must(http.StatusOK, http.MethodPatch, path, object{"name": "r3", "private_dns_attachment_config": attached(kind)})
		w.must(http.StatusNotFound, http.MethodPatch, path[:len(path)-4]+"0000", object{"name": "r4"})
		w.must(http.StatusNoContent, http.MethodDelete, path, nil)
	}
}
