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
        ("GET /a: {to: fruit /a, keep: token}", "the text 'token' where a mapping is wanted → {bearer: token}"),
        ("GET /a: {to: fruit /a, error: detail}", "the text 'detail' where a mapping is wanted → {message: detail}"),
        ("GET /a: {to: fruit /a, cors: '*'}", "'*' is no origin → any"),
        ("GET /a: {to: fruit /a, rate: 10rps}", "the text '10rps' where a rate is wanted → 10/s"),
        ("GET /a: {to: fruit /a, upgrade: ws}", "the text 'ws' is not known here → websocket"),
        ("POST /a: {to: fruit /a, body: application/json}", "'application/json' is no kind of body → json"),
        ("POST /a: {to: fruit /a, body: image/png}", "'image/png' is no kind of body → {raw: image/png}"),
        (
            "GET /a: {to: fruit /a, value: Int, parent: /data/0}",
            "'/data/0' is no key path: a JSON Pointer is no key path → data[0]"
        ),
        (
            "GET /a: {to: fruit /a, params: {q: {type: String, required: true}}}",
            "unknown key 'required' → leave it out: what has no '?' behind its type, and no default, is required"
        ),
        (
            "GET /a: {to: fruit /a, value: {q: {type: String, enum: [a, b]}}}",
            "unknown key 'enum' → write the strings as the type: red | green"
        ),
        ("GET /a: {to: fruit:/a}", "'fruit:/a' is no target → fruit /a"),
        ("GET POST /a: {to: fruit /a}", "'GET POST /a' is no route → GET|POST /a"),
        ("GET,POST /a: {to: fruit /a}", "'GET,POST' is no method that can be bound → GET|POST"),
        (
            "GET /a/{id: Int}: {to: fruit /a}",
            "a ':' inside of a placeholder → write the name alone, as in {id}, and its "
                + "type under 'params:'"
        ),
        (
            "GET /a: {to: fruit /a, method: POST}",
            "unknown key 'method' → a method stands in front of the path: in the "
                + "binding's key, and in 'to:' where it differs there"
        ),
        ("GET /a: {to: fruit /a, websocket: true}", "unknown key 'websocket' → write upgrade: websocket"),
        ("GET /a: {to: fruit /a, parms: {b: Int}}", "unknown key 'parms' → params"),
        ("GET /a: {to: fruit /a, timeout: true}", "the text 'true' where a mapping is wanted"),
        ("GET /a: {to: GET fruit /a}", "'GET fruit /a' is no target → fruit GET /a"),
        (
            "GET /a: {to: “fruit /a”}",
            "these are typographic quotes → write \" in their place, or nothing"
        ),
        ("GET | POST /a: {to: fruit /a}", "'GET | POST /a' is no route → GET|POST /a"),
        ("GET /a: to:fruit", "no space behind the ':' of 'to' → to: …"),
    ])
    func tellsWhatABareTextMeans(_ binding: String, _ mistake: String) {
        #expect(fruit(binding).mistakes.map { $0.drop { $0 != " " }.dropFirst() } == [mistake[...]])
    }
}
