import Foundation
import Testing

@testable import SluiceConfig

@Suite struct ConfigurationReaderTests {
    @Test func tellsFilesThatCannotBeRead() {
        let error = #expect(throws: UnreadableFile.self) { try ConfigurationReader(path: "/nonexistent/a.yaml").read() }
        #expect(error?.description == "/nonexistent/a.yaml: cannot be read: there is no such file")
    }

    @Test func readsRealFiles() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("a.yaml").path
        let token = directory.appendingPathComponent("token").path
        try "upstreams:\n  a: {url: 'http://127.0.0.1', bearer: {file: token}}\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        try "abc\n".write(toFile: token, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        #expect(try ConfigurationReader(path: file).read().configuration?.upstreams.first?.bearer == .file(token))
        try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: token)
        #expect(
            try ConfigurationReader(path: file).read().mistakes.map(\.message)
                == ["file '\(token)' holds a secret and can be written by others"])
    }

    /// Mistakes elsewhere do not hide where the daemon is; a wrong address does not become the usual one.
    @Test(
        arguments: [
            ("listen: 127.0.0.1:9\nadmin: /a\nupstraems: {}", 1, "/a"), ("listen: nowhere\nadmin: /a", 0, "/a"),
            ("admin: 7000\nx: 1", 1, nil), ("just text", nil, nil), ("a: [", nil, nil),
        ] as [(String, Int?, String?)])
    func draftsTellWhereTheDaemonIs(_ text: String, _ listeners: Int?, _ admin: String?) {
        let loaded = Bench(text).load()
        #expect(loaded.configuration == nil)
        #expect(loaded.draft?.listen.count == listeners)
        #expect(loaded.draft?.admin == admin)
    }

    @Test func namesTheFileAsGiven() throws {
        let reader = ConfigurationReader(
            path: "sluice.yaml",
            surroundings: Surroundings(contents: { _ in .success(Array("x: 1".utf8)) }, secretFile: { _, _ in nil }))
        #expect(try reader.read().mistakes.map(\.file) == ["sluice.yaml"])
    }

    @Test func tellsWhatIsNoText() throws {
        let reader = ConfigurationReader(
            path: "a",
            surroundings: Surroundings(
                contents: { _ in .success(Array("a: 1\nb: ".utf8) + [0xFF]) }, secretFile: { _, _ in nil }))
        #expect(try reader.read().mistakes.map(\.description) == ["a:2:1: not readable as text; expected UTF-8"])
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x61], "UTF-16"), ([0x61, 0, 0x3A, 0], "UTF-16"),
            ([0, 0x61, 0, 0x3A], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"),
        ] as [([UInt8], String)])
    func namesOtherEncodings(_ bytes: [UInt8], _ name: String) throws {
        let reader = ConfigurationReader(
            path: "a", surroundings: Surroundings(contents: { _ in .success(bytes) }, secretFile: { _, _ in nil }))
        #expect(
            try reader.read().mistakes.map(\.description)
                == ["a:1:1: the file is in \(name); expected UTF-8; save it as UTF-8"])
    }

    /// A byte order mark of UTF-8 is nothing to speak of.
    @Test func takesAByteOrderMark() {
        #expect(Bench("\u{FEFF}drain: 5s").configuration().drain == .seconds(5))
    }

    /// So many that looking at every line or binding for every other would not end.
    @Test func readsLargePagesInOneGo() {
        let count = 4_000
        var yaml = String(repeating: "# a comment of some length, as licences have them\n", count: 40_000)
        yaml += "upstreams:\n"
        for number in 0..<count / 4 { yaml += "  u\(number): {url: 'http://127.0.0.1', bearer: {value: x}}\n" }
        yaml += "types:\n"
        for number in 0..<count / 4 { yaml += "  T\(number): {id: Int, name: String}\n" }
        yaml += "bindings:\n"
        for number in 0..<count {
            let other = number % (count / 4)
            yaml += "  GET /r\(number): {to: u\(other) /r, bearer: true, value: [T\(other)]}\n"
        }
        let configuration = Bench(yaml).configuration()
        #expect(configuration.bindings.count == count)
        #expect(Explain.yaml(configuration).utf8.count > 1_000_000)
    }

    /// Whatever a file holds, it is answered with mistakes or a configuration.
    @Test(arguments: [
        "\u{0}", "a: \u{7}", "%YAML 3.0\n---\na: b", "!!binary x", "? ", "&a *a", "a: !x y", "{", "- - - -",
    ])
    func survivesAnything(_ text: String) throws {
        let loaded = Bench(text).load()
        #expect((loaded.configuration == nil) == !loaded.mistakes.isEmpty)
    }

    /// Characters lost, doubled, swapped and replaced at random places.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func survivesDamage(seed: UInt64) {
        var random = SplitMix(state: seed)
        let original = Array(DesignTests.yaml.unicodeScalars)
        let replacements = Array("{}[]:,\"'|?*&!%#\n -~1a".unicodeScalars)
        for _ in 0..<10 {
            var scalars = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<scalars.count - 1, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: scalars.remove(at: place)
                case 1: scalars.insert(scalars[place], at: place)
                case 2: scalars.swapAt(place, place + 1)
                default: scalars[place] = replacements.randomElement(using: &random) ?? "x"
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            let loaded = Bench(String(text)).load()
            #expect((loaded.configuration == nil) == !loaded.mistakes.isEmpty)
        }
    }

    /// Every prefix of a real file, cut anywhere.
    @Test func survivesTruncation() {
        let text = DesignTests.yaml
        for count in stride(from: 0, to: text.count, by: 7) {
            let loaded = Bench(String(text.prefix(count))).load()
            #expect((loaded.configuration == nil) == !loaded.mistakes.isEmpty)
        }
    }
}
