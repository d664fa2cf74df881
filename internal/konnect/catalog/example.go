package catalog

// Placeholder stands, in what is exported, in place of a required text that
// Konnect does not return.
const Placeholder = "REPLACE ME: Konnect does not return this"

// exampleCertificate is a certificate for examples; its key was thrown away.
const exampleCertificate = `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAgEBMAoGCCqGSM49BAMCMCAxHjAcBgNVBAMTFWRldmVsb3Bl
ci5leGFtcGxlLmNvbTAeFw0yNjAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMCAx
HjAcBgNVBAMTFWRldmVsb3Blci5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABM/ZJ2G5D0Pc2Oc+HjRutrFH401Wl9HdQVIHfIUVm4hL9MtotGZU
/nl5VGFeeKKyYWqSgz655KUJS3TsmVtJNMqjJDAiMCAGA1UdEQQZMBeCFWRldmVs
b3Blci5leGFtcGxlLmNvbTAKBggqhkjOPQQDAgNIADBFAiEAgZvpFkSxsf7Tb7aY
iTZH/iZhs28860D+HXvlviLU/yECIHBIQGJWrT+4wMhpPpzQ8BdsIol4p7opWnCS
KUspSZPA
-----END CERTIFICATE-----
`
