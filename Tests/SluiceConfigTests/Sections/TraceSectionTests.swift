import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct TraceSectionTests {
    @Test func readsAll() {
        let trace = Bench(
            """
            trace:
              endpoint: https://collector.example/otlp?x=1
              sample: 5%
              bearer: {value: abc}
              headers: {X-Tenant: team, X-Key: {value: k}}
              tls: {server-name: other.example}
            """
        ).configuration().trace
        #expect(trace.endpoint == EndpointURL("https://collector.example/otlp?x=1"))
        #expect(trace.samplePercent == 5 && trace.bearer == .value("abc"))
        #expect(trace.headers.map(\.name) == ["X-Tenant", "X-Key"])
        #expect(trace.tls.serverName == "other.example")
        #expect(trace.isOn)
    }

    /// A collector's address alone means the place where every collector takes spans.
    @Test(arguments: ["http://127.0.0.1:4318", "http://127.0.0.1:4318/"])
    func theUsualPathIsAdded(_ url: String) {
        let trace = Bench("trace: {endpoint: '\(url)'}\n").configuration().trace
        #expect(trace.endpoint == EndpointURL("http://127.0.0.1:4318/v1/traces"))
        #expect(trace.samplePercent == 100)
    }

    @Test(arguments: ["{}", "{endpoint: off}", "{endpoint: off, sample: 5%}"])
    func isOff(_ yaml: String) {
        let bench = Bench("trace: \(yaml)\n")
        #expect(!bench.configuration().trace.isOn)
        #expect(bench.warnings == ["1:1: nothing is bound → add 'bindings:'"])
    }

    private static let place = "{endpoint: 'http://127.0.0.1:4318', "

    @Test(arguments: [
        ("{endpoint: 127.0.0.1:4318}", "this is no URL of a collector"),
        ("{endpoint: grpc://host}", "this is no URL of a collector"),
        ("{endpoint: 'http://u:p@host'}", "this is no URL of a collector"),
        (place + "sample: 101%}", "the text '101%' where a share is wanted"),
        (place + "sample: 0.5}", "where a share is wanted"),
        (place + "headers: {Content-Type: x}}", "field 'Content-Type' cannot be set here"),
        (place + "headers: {Authorization: x}}", "field 'Authorization' cannot be set here"),
        (place + "headers: {X-A: {from: Y}}}", "the gateway's own request has no field of a client"),
        (place + "headers: {X-A: null}}", "the gateway's own request has no field of a client"),
        (place + "tls: {server-name: x}}", "'tls' has no meaning without TLS"),
        (place + "bearer: abc}", "a bearer is a mapping"),
    ])
    func refuses(_ value: String, _ mistake: String) {
        let mistakes = Bench("trace: \(value)\n").mistakes
        #expect(mistakes.count == 1 && mistakes.first?.contains(mistake) == true, "\(mistakes)")
    }

    @Test func warns() {
        #expect(
            Bench("trace: {sample: 5%}\n").warnings.contains {
                $0.contains("'sample' has no effect without an endpoint → add endpoint: http://HOST:4318")
            })
        #expect(
            Bench("trace: {endpoint: 'http://collector.example', bearer: {value: abc}}\n").warnings.contains {
                $0.contains("a secret goes to 'collector.example' unencrypted")
            })
        #expect(
            Bench("trace: {endpoint: 'https://c.example', tls: {verify: false}}\n").warnings.contains {
                $0.contains("the collector's certificate is not verified")
            })
    }

    /// As it is read, but for what is secret.
    @Test func isExplained() {
        let page = "trace: {endpoint: 'http://127.0.0.1:4318/x?key=k', sample: 7%, bearer: {value: abc}}\n"
        let yaml = Explain.yaml(Bench(page).configuration())
        #expect(yaml.contains("http://127.0.0.1:4318/x?REDACTED"))
        #expect(yaml.contains(#"sample: "7%""#) && yaml.contains("bearer: {value: REDACTED}"))
        #expect(!yaml.contains("abc"))
    }
}
