import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct RootSectionTests {
    @Test func fillsInDefaults() {
        let configuration = Bench("listen: 127.0.0.1:8080\n").configuration()
        #expect(configuration == Configuration())
    }

    /// Mostly a file that was not written to its end, or a wrong name.
    @Test(arguments: ["", "\n", "# nothing\n", "---\n", "~"]) func refusesNothing(_ yaml: String) {
        #expect(Bench(yaml).mistakes == ["1:1: the file says nothing"])
    }

    @Test func leavesExtensionsAlone() {
        let bench = Bench(
            "x-wait: &wait {connect: 1s}\nx-y: 1\nupstreams: {a: {url: 'http://127.0.0.1', timeout: *wait}}\n")
        #expect(bench.configuration().upstreams.first?.timeout.connect == .seconds(1))
        #expect(Bench("upstreams: {a: {url: 'http://127.0.0.1', x-y: 1}}").mistakes == ["1:42: unknown key 'x-y'"])
    }

    /// What stands in the wrong place is told where it belongs.
    @Test(arguments: [
        (
            "timeout: {total: 5s}",
            "1:1: unknown key 'timeout' → it belongs under an upstream or a binding or 'defaults:'"
        ),
        ("health: {path: /}", "1:1: unknown key 'health' → it belongs under an upstream"),
        ("parent: a", "1:1: unknown key 'parent' → it belongs under a binding"),
        ("json-depth: 3", "1:1: unknown key 'json-depth' → it belongs under 'limits:'"),
        ("upstreams: {a: {url: 'http://x', drain: 3s}}", "1:34: unknown key 'drain' → it belongs at the top level"),
        ("defaults: {wrap: a}", "1:12: unknown key 'wrap' → it belongs under a binding"),
        (
            "defaults: {<<: {a: b}}",
            "1:12: merge keys ('<<') are not read → use 'defaults:', or an alias (*name) for a whole value"
        ),
        (
            "upstreams: {<<: {a: b}}",
            "1:13: merge keys ('<<') are not read → use 'defaults:', or an alias (*name) for a whole value"
        ),
    ])
    func tellsWhereKeysBelong(_ yaml: String, _ mistake: String) {
        #expect(Bench(yaml).mistakes == [mistake])
    }

    @Test func tellsAllMistakesInOneRun() {
        let bench = Bench(
            """
            listen: 8080
            hots: []
            loops: 0
            drain: 10
            drain: 20
            limits: {body: 10MB, header-count: many}
            """)
        #expect(
            bench.mistakes == [
                "1:9: '8080' is no address to listen on → 127.0.0.1:8080",
                "2:1: unknown key 'hots' → hosts",
                "3:8: 0 is out of range",
                "4:8: the text '10' where a duration is wanted → 10s",
                "5:1: key 'drain' stands twice, first in line 4",
                "6:16: the text '10MB' where a size is wanted → 10MiB",
                "6:36: the text 'many' where a number is wanted",
            ])
    }

    @Test(arguments: ["- a\n", "text\n", "[]\n"]) func wantsAMapping(_ yaml: String) {
        #expect(Bench(yaml).mistakes.count == 1)
    }

    @Test func tellsWhatIsExpected() {
        let mistake = Bench("xyz: []\n").load().mistakes.first
        #expect(mistake?.expected == RootSection.section.keyList)
        #expect(
            mistake?.expected?.hasSuffix("listen, upstreams, types, bindings, groups, include, defaults, hosts, …")
                == true)
    }

    /// What the daemon could not seal with is told where the page is checked.
    @Test(arguments: [
        (String(repeating: "k", count: 32), true), (String(repeating: "0f", count: 32) + "\n", true),
        ("short\n", false), (String(repeating: "0g", count: 32), false),
    ])
    func theStateFoldersKeyIsRead(_ content: String, isKey: Bool) {
        let bench = Bench(
            fruit("GET /a: {to: fruit /a}").yaml + "state-key: key\n", files: ["/etc/sluice/key": .init(text: content)])
        let mistakes = bench.load().mistakes
        #expect(mistakes.isEmpty == isKey)
        #expect(mistakes.allSatisfy { $0.message.hasSuffix("key' holds no key") }, "\(mistakes)")
    }

    @Test func warnsOfEmptiness() {
        #expect(Bench("drain: 5s\n").warnings == ["1:1: nothing is bound → add 'bindings:'"])
        #expect(
            fruit("").warnings == [
                "1:1: nothing is bound → add 'bindings:'", "3:3: upstream 'fruit' is not used by any binding",
            ])
    }
}
