import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct RootSectionTests {
    @Test func fillsInDefaults() {
        let configuration = Bench("listen: 127.0.0.1:8080\n").configuration()
        #expect(configuration == Configuration())
    }

    @Test(arguments: ["", "\n", "# nothing\n", "---\n"]) func readsNothingAsDefaults(_ yaml: String) {
        #expect(Bench(yaml).configuration() == Configuration())
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
            mistake?.expected?.hasSuffix(
                "listen, upstreams, types, bindings, defaults, hosts, clients, client-rate, loops, cache, admin, "
                    + "limits, drain, log, envelope") == true)
    }

    @Test func warnsOfEmptiness() {
        #expect(Bench("drain: 5s\n").warnings == ["1:1: nothing is bound → add 'bindings:'"])
        #expect(
            fruit("").warnings == [
                "1:1: nothing is bound → add 'bindings:'", "3:3: upstream 'fruit' is not used by any binding",
            ])
    }
}
