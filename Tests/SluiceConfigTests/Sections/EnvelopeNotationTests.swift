import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct EnvelopeNotationTests {
    @Test func readsATemplate() {
        let envelope = Bench(
            "envelope: {ok: false, error: {status: '{status}', text: '{title}: {detail}', n: 1}, list: [a, ~]}\n"
        ).configuration().envelope
        #expect(
            envelope
                == .template(
                    .object([
                        .init(key: "ok", value: .literal("false")),
                        .init(
                            key: "error",
                            value: .object([
                                .init(key: "status", value: .string("{status}")),
                                .init(key: "text", value: .string("{title}: {detail}")),
                                .init(key: "n", value: .literal("1")),
                            ])),
                        .init(key: "list", value: .array([.string("a"), .literal("null")])),
                    ])))
    }

    /// `{status}` is a mapping to YAML.
    @Test func readsPlaceholdersWithoutQuotes() {
        let envelope = Bench("envelope:\n  status: {status}\n").configuration().envelope
        #expect(envelope == .template(.object([.init(key: "status", value: .string("{status}"))])))
    }

    @Test(arguments: [
        ("problem+json", "1:11: the text 'problem+json' is no envelope"), ("[a]", "1:11: a list is no envelope"),
        ("{a: '{sattus}'}", "1:15: unknown placeholder '{sattus}' → {status}"),
        ("{a: {sattus}}", "1:15: unknown placeholder '{sattus}' → {status}"),
        ("{a: 1, a: 2}", "1:18: key 'a' stands twice, first in line 1"),
    ])
    func refuses(_ value: String, _ mistake: String) {
        #expect(Bench("envelope: \(value)\n").mistakes == [mistake])
    }
}
