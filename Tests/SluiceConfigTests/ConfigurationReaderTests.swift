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
