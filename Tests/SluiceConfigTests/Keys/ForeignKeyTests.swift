import Testing

@testable import SluiceConfig

@Suite struct ForeignKeyTests {
    @Test(
        arguments: [
            ("type", BindingSection.section, "value"), ("Returns", BindingSection.section, "value"),
            ("path", BindingSection.section, "to"), ("proxy_pass", BindingSection.section, "to"),
            ("query", BindingSection.section, "params"), ("base-url", UpstreamSection.section, "url"),
            ("token", UpstreamSection.section, "bearer"), ("token", BearerSection.section, "value"),
            ("ttl", CacheSection.section, "fresh"), ("routes", RootSection.section, "bindings"),
            ("endpoints", RootSection.section, "bindings"), ("port", RootSection.section, "listen"),
            ("port", ListenSection.section, "address"), ("cert", ListenSection.section, nil),
        ] as [(String, Section, String?)])
    func knowsOtherNames(_ word: String, _ section: Section, _ name: String?) {
        #expect(ForeignKey.name(for: word, in: section) == name)
    }

    /// A mistake says either what is meant, or what there is.
    @Test func tellsEitherTheKeyOrAllOfThem() {
        let loaded = fruit("GET /a: {to: fruit /a, type: Int, xyz: 1}").load()
        #expect(loaded.mistakes.map { $0.expected == nil } == [true, false])
    }

    /// What a bare text in the place of a mapping means.
    @Test(arguments: [
        ("GET /a: fruit /a", "the text 'fruit /a' where a mapping is wanted → {to: fruit /a}"),
        ("GET /a: {to: fruit /a, timeout: 10}", "the text '10' where a mapping is wanted → {total: 10s}"),
        ("GET /a: {to: fruit /a, cache: 2min}", "the text '2min' is no cache policy → {fresh: 2m}"),
        (
            "GET /a: {to: fruit /a, cache: true}",
            "the text 'true' is no cache policy → write {} to do what the upstream's answers say"
        ),
        ("GET /a: to:fruit", "no space behind the ':' of 'to' → to: …"),
    ])
    func tellsWhatABareTextMeans(_ binding: String, _ mistake: String) {
        #expect(fruit(binding).mistakes.map { $0.drop { $0 != " " }.dropFirst() } == [mistake[...]])
    }
}
