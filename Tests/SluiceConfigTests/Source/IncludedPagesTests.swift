import SluiceContract
import Testing

@testable import SluiceConfig

/// A configuration of several files, all in memory.
@Suite struct IncludedPagesTests {
    private static let root = """
        include: bindings/*.yaml
        upstreams: {fruit: {url: https://fruit.example}}
        bindings: {GET /own: {to: fruit /own}}
        """

    /// - Parameter links: where paths lead, if elsewhere.
    private static func load(
        _ yaml: String, _ files: [String: String], links: [String: String] = [:]
    ) throws -> Loaded {
        let folder = "/etc/sluice/"
        var texts = ["/etc/sluice/sluice.yaml": yaml]
        for (name, text) in files { texts[folder + name] = text }
        let known = texts
        var reader = ConfigurationReader(
            path: folder + "sluice.yaml",
            surroundings: Surroundings(
                contents: { path in
                    known[path].map { .success(Array($0.utf8)) }
                        ?? .failure(UnreadableFile(path: path, reason: "there is no such file"))
                }, secretFile: { _, _ in nil },
                names: { folder in
                    let found = known.keys.filter { $0.hasPrefix(folder + "/") }
                        .map { String($0.dropFirst(folder.count + 1)) }
                    if found.isEmpty {
                        return .failure(UnreadableFile(path: folder, reason: "there is no such folder"))
                    }
                    return .success(Array(Set(found.map { String($0.prefix { $0 != "/" }) })))
                }, target: { links[$0] ?? ($0.hasSuffix("/") ? String($0.dropLast()) : $0) }))
        reader.secrets = .ignored
        return try reader.read()
    }

    private static func mistakes(_ yaml: String, _ files: [String: String], links: [String: String] = [:]) throws
        -> [String]
    {
        try load(yaml, files, links: links).mistakes.map(\.description)
    }

    @Test(arguments: ["bindings/*.yaml", "bindings", "[bindings/a.yaml, bindings/b.yaml, bindings]", "bindings/"])
    func namesAddUp(_ include: String) throws {
        let loaded = try Self.load(
            Self.root.replacing("bindings/*.yaml", with: include),
            [
                "bindings/a.yaml": "bindings: {GET /a: {to: fruit /a, value: Apple}}\ntypes: {Apple: {size: Size}}",
                "bindings/b.yaml": "types: {Size: Int}\nupstreams: {other: {url: https://other.example}}\nx-note: 1",
                "bindings/.c.yaml": "nonsense", "bindings/d.txt": "nonsense",
            ])
        #expect(loaded.mistakes.map(\.description) == [])
        #expect(loaded.warnings.map(\.message) == ["upstream 'other' is not used by any binding"])
        let configuration = try #require(loaded.configuration)
        #expect(configuration.bindings.map(\.name) == ["GET /own", "GET /a"])
        #expect(configuration.upstreams.map(\.name) == ["fruit", "other"])
        // One whole page.
        let explained = Explain.yaml(configuration)
        #expect(!explained.contains("include"))
        #expect(try Self.load(explained, [:]).configuration == configuration)
    }

    @Test func mistakesNameTheirFile() throws {
        let found = try Self.mistakes(
            Self.root,
            [
                "bindings/a.yaml": "bindings:\n  GET /a:\n    to: frut /a\n    value: Appel\ntypes: {Apple: Int}\n",
                "bindings/b.yaml": "bindings:\n\t- x\n", "bindings/c.yaml": "listen: x\nbindngs: {}\n- a",
                "bindings/d.yaml": "listen: 127.0.0.1:1\nbindngs: {}\nbindings: {}\nbindings: {}\ntypes: 7\n",
                "bindings/e.yaml": "7", "bindings/f.yaml": "",
            ])
        for wanted in [
            "/etc/sluice/bindings/a.yaml:3:9: unknown upstream 'frut'", "/etc/sluice/bindings/a.yaml:4:12: ",
            "/etc/sluice/bindings/b.yaml:2:1: a tab", "/etc/sluice/bindings/c.yaml:3:1: ",
            "/etc/sluice/bindings/d.yaml:1:1: 'listen' belongs on the page that includes this one",
            "/etc/sluice/bindings/d.yaml:2:1: unknown key 'bindngs'",
            "/etc/sluice/bindings/d.yaml:4:1: key 'bindings' stands twice, first in line 3",
            "/etc/sluice/bindings/d.yaml:5:8: the text '7' where a mapping is wanted",
            "/etc/sluice/bindings/e.yaml:1:1: the text '7' where a mapping is wanted",
            "/etc/sluice/bindings/f.yaml:1:1: the file says nothing",
        ] {
            #expect(found.contains { $0.hasPrefix(wanted) }, "\(wanted) in \(found)")
        }
    }

    @Test func whatStandsTwiceNamesBothPlaces() throws {
        let found = try Self.mistakes(
            Self.root,
            [
                "bindings/a.yaml":
                    "\nbindings: {GET /own: {to: fruit /a}, 'GET /x/{a}': {to: fruit /a, params: {a: Int}}}",
                "bindings/b.yaml": "bindings:\n  GET /x/{b}: {to: fruit /b, params: {b: Int}}",
            ])
        #expect(
            found.contains {
                $0.hasPrefix(
                    "/etc/sluice/bindings/a.yaml:2:12: key 'GET /own' stands twice, first in /etc/sluice/sluice.yaml:3")
            }, "\(found)")
        let routes = try Self.mistakes(
            Self.root,
            [
                "bindings/a.yaml": "\nbindings: {'GET /x/{a}': {to: fruit /a, params: {a: Int}}}",
                "bindings/b.yaml": "bindings:\n  GET /x/{b}: {to: fruit /b, params: {b: Int}}",
            ])
        #expect(routes.contains { $0.contains("b.yaml:2:3: ") && $0.contains("a.yaml:2") }, "\(routes)")
    }

    @Test(arguments: [
        ("/etc/passwd", "does not stand below"), ("../x.yaml", "does not stand below"),
        ("a/../b.yaml", "does not stand"),
        ("nowhere.yaml", ": file '/etc/sluice/nowhere.yaml' cannot be read: there is no such file"),
        ("nowhere", "file or folder '/etc/sluice/nowhere' cannot be read: there is no such file"),
        ("nowhere/*.yaml", "there is no such folder"),
        ("b*/a.yaml", "a '*' stands in the name of a folder"), ("a/b/c/d/e/f/g/h/i/j.yaml", "goes through 9 folders"),
        ("link.yaml", "leads out of the folder"), ("{a: b}", "a mapping where a file or a folder is wanted"),
    ])
    func refuses(_ include: String, _ message: String) throws {
        let found = try Self.mistakes(
            "include: \(include)\n" + Self.root.split(separator: "\n").dropFirst().joined(separator: "\n"),
            ["link.yaml": "bindings: {}", "bindings/a.yaml": "bindings: {}"],
            links: ["/etc/sluice/link.yaml": "/etc/shadow"])
        #expect(found.contains { $0.contains("sluice.yaml:1:") && $0.contains(message) }, "\(found)")
    }

    /// Folders count, whether a file is named, or the folder that it stands in.
    @Test(arguments: [
        ("1/2/3/4/5/6/7/8/a.yaml", true), ("1/2/3/4/5/6/7/8/*.yaml", true), ("1/2/3/4/5/6/7/8", true),
        ("1/2/3/4/5/6/7/8/9/b.yaml", false), ("1/2/3/4/5/6/7/8/9/*.yaml", false), ("1/2/3/4/5/6/7/8/9", false),
    ])
    func foldersHaveALimit(_ include: String, _ isWithin: Bool) throws {
        let found = try Self.mistakes(
            Self.root.replacing("bindings/*.yaml", with: include),
            ["1/2/3/4/5/6/7/8/a.yaml": "types: {Size: Int}", "1/2/3/4/5/6/7/8/9/b.yaml": "types: {Size: Int}"])
        #expect(found.isEmpty == isWithin, "\(found)")
        let limit = "goes through 9 folders; expected 8 at most"
        #expect(found.contains { $0.contains(limit) } != isWithin, "\(found)")
    }

    @Test func includesDoNotIncludeAndHaveLimits() throws {
        let nested = try Self.mistakes(Self.root, ["bindings/a.yaml": "include: bindings/b.yaml"])
        #expect(nested.contains { $0.contains("a.yaml:1:1: 'include' belongs on the page") })
        let names = (0...IncludedPages.countMax).map { ("bindings/\($0).yaml", "types: {}") }
        let many = try Self.mistakes(Self.root, Dictionary(uniqueKeysWithValues: names))
        #expect(many.contains { $0.contains("501 included pages") })
        let blanks = String(repeating: " ", count: IncludedPages.bytesMax / 2)
        let large = try Self.mistakes(
            Self.root, ["bindings/a.yaml": "types: {}\n#" + blanks, "bindings/b.yaml": "types: {}\n#" + blanks])
        #expect(large.contains { $0.contains("are too large at") })
        let empty = try Self.load(Self.root, ["bindings/a.txt": ""])
        #expect(empty.warnings.map(\.message) == ["'bindings/*.yaml' includes nothing"])
        let folder = try Self.load(Self.root.replacing("bindings/*.yaml", with: "bindings"), ["bindings/a.txt": ""])
        #expect(folder.warnings.map(\.expected) == ["files that end with .yaml or .yml"])
    }

    /// Lines with secrets stay hidden, whichever file they stand in.
    @Test func secretsAreNotShown() throws {
        let loaded = try Self.load(
            Self.root,
            [
                "bindings/a.yaml":
                    "upstreams:\n  x:\n    url: https://x.example\n    bearer: {value: geheim, valu: geheim}\n"
            ])
        #expect(loaded.mistakes.map(\.line) == [4])
        for mistake in loaded.mistakes {
            #expect(mistake.sourceLine == nil && !mistake.description.contains("geheim"))
        }
    }

    @Test(arguments: [
        ("a.yaml", "*.yaml", true), ("a.yaml", "*", true), ("ab.yaml", "a*b.yaml", true), ("a.yaml", "a*a.yaml", false),
        ("abcb.yaml", "a*b*.yaml", true), ("a.yml", "*.yaml", false), ("a", "a", true), ("a", "b", false),
    ])
    func starsStandForAnything(_ name: String, _ pattern: String, _ fits: Bool) {
        #expect(IncludedPages.fits(name, pattern) == fits)
    }
}
