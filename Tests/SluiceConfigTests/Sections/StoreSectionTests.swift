import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct StoreSectionTests {
    private func bench(_ cache: String) -> Bench {
        Bench("cache: \(cache)\n", files: ["/p": .init(text: "s3cret\n")], environment: ["REDIS": "s3cret"])
    }

    @Test(arguments: [
        ("{disk: /var/cache/sluice}", "/var/cache/sluice"), ("{disk: answers/}", "/etc/sluice/answers"),
        ("{disk: ''}", nil), ("{}", nil),
    ])
    func readsAFolder(_ cache: String, _ path: String?) {
        #expect(bench(cache).load().configuration?.cache.diskPath == path)
    }

    @Test(
        arguments: [
            ("redis://cache.example", .tcp(host: "cache.example", port: 6379), nil, nil, 0),
            ("redis://127.0.0.1:7000/3", .tcp(host: "127.0.0.1", port: 7000), nil, nil, 3),
            ("redis://[::1]/", .tcp(host: "::1", port: 6379), nil, nil, 0),
            ("redis://:s3cret@a.example", .tcp(host: "a.example", port: 6379), nil, "s3cret", 0),
            ("redis://u%20v:p%40q@a.example:1/9", .tcp(host: "a.example", port: 1), "u v", "p@q", 9),
            ("redis://u:s3c:ret@a.example", .tcp(host: "a.example", port: 6379), "u", "s3c:ret", 0),
            ("redis:///run/redis.sock", .unix("/run/redis.sock"), nil, nil, 0),
        ] as [(String, CacheSettings.SharedStore.Address, String?, String?, Int)])
    func readsAURL(
        _ url: String, _ address: CacheSettings.SharedStore.Address, _ user: String?, _ password: String?,
        _ database: Int
    ) {
        var expected = CacheSettings.SharedStore(address)
        expected.user = user
        expected.password = password.map { .value($0) }
        expected.database = database
        let configuration = bench("{shared: '\(url)'}").configuration()
        #expect(configuration.cache.shared == expected)
        let text = Explain.yaml(configuration)
        if let password {
            #expect(!text.contains(password))
            #expect(text.contains("password: {value: REDACTED}"))
        } else {
            #expect(Bench(text).configuration().cache == configuration.cache, "\(text)")
        }
    }

    @Test func readsAMapping() {
        let shared = bench(
            "{disk: /d, disk-bytes: 2GiB, shared: {url: 'redis://a.example', password: {env: REDIS}, reply: 20ms}}"
        ).configuration().cache.shared
        var expected = CacheSettings.SharedStore(.tcp(host: "a.example", port: 6379))
        expected.password = .env("REDIS")
        expected.replyTimeout = .milliseconds(20)
        #expect(shared == expected)
        #expect(bench("{shared: {url: 'redis://a', password: {file: /p}}}").mistakes == [])
    }

    @Test(arguments: [
        ("{disk-bytes: 2GiB}", "1:9: there is no folder that it could speak of"),
        ("{disk: /d, disk-bytes: 1KiB}", "too little space to store anything → leave 'disk:' out"),
        ("{disk: [a]}", "1:15: a list where the path of a folder is wanted"),
        ("{shared: cache.example}", "the URL does not begin with redis://"),
        ("{shared: 'redis://'}", "the URL names no host"), ("{shared: 'redis:///'}", "the URL has no path"),
        ("{shared: 'redis://a/x'}", "the database is not a number"),
        ("{shared: 'redis://127.0.0.1:286100'}", "the URL's port is none"),
        ("{shared: 'redis://[::1]:0/3'}", "the URL's port is none"),
        ("{shared: 'redis://a?b'}", "the URL has a query or a fragment"),
        ("{shared: 'redis://u:s3cret%@a'}", "the URL's user or password is malformed"),
        ("{shared: 'redis://u@a'}", "a user without a password"),
        ("{shared: 'rediss:///run/r'}", "TLS is not spoken over a Unix socket → write redis:// before the path"),
        ("{shared: 'rediss://u:s3cret@a/x'}", "the database is not a number"),
        ("{shared: {url: 'redis://a', tls: {ca: /p}}}", "the URL asks for no TLS"),
        ("{shared: {url: 'rediss://a', tls: {certificate: /p}}}", "a client certificate needs its key"),
        ("{shared: {password: {env: REDIS}}}", "key 'url' is missing"),
        ("{shared: {url: 'redis://:s3cret@a', password: {env: REDIS}}}", "the URL holds a password already"),
        ("{shared: {url: 'redis://a', password: s3cret}}", "a password is a mapping"),
        ("{shared: {url: 'redis://a', reply: 0s}}", "a wait of nothing never succeeds"),
    ])
    func refuses(_ cache: String, _ mistake: String) {
        let loaded = bench(cache).load()
        #expect(bench(cache).mistakes.first?.contains(mistake) == true, "\(bench(cache).mistakes)")
        for mistake in loaded.mistakes { #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret")) }
    }
}
