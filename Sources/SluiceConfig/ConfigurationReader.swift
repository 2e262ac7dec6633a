import SluiceContract
import SluiceRules

/// Reads a configuration file: YAML to a checked ``Configuration``, every mistake of the file in one run.
public struct ConfigurationReader: Sendable {
    public var path: String
    /// Where relative names of secrets are looked up first (`$CREDENTIALS_DIRECTORY`).
    public var credentialsDirectory: String?
    public var environment: [String: String]
    public var surroundings: Surroundings
    public var secrets: Secrets

    /// How to treat files and variables that the page names and that hold secrets, or that the service manager may
    /// provide only to the daemon.
    public enum Secrets: Sendable {
        /// They have to exist: the page is about to be served.
        case required
        /// Those that cannot be found are reported as warnings: the page is checked elsewhere than where it is served.
        case reported
        /// They are not checked.
        case ignored
    }

    /// - Parameters:
    ///   - path: the file; relative names in it are looked up beside it.
    ///   - credentialsDirectory: where nil, `CREDENTIALS_DIRECTORY` of the environment.
    ///   - environment: variables for `bearer: {env: NAME}`.
    ///   - surroundings: how files are read; real files by default.
    ///   - secrets: how to treat the secrets that the page names.
    public init(
        path: String, credentialsDirectory: String? = nil, environment: [String: String] = [:],
        surroundings: Surroundings = .disk, secrets: Secrets = .required
    ) {
        self.path = path
        self.credentialsDirectory = credentialsDirectory ?? environment["CREDENTIALS_DIRECTORY"]
        self.environment = environment
        self.surroundings = surroundings
        self.secrets = secrets
    }

    /// The most bytes of one file, and of all its included pages together.
    public static let bytesMax = 16 << 20

    /// Reads the whole file.
    ///
    /// - Throws: ``UnreadableFile`` where the file cannot be read; mistakes in the file are in the result.
    public func read() throws(UnreadableFile) -> Loaded {
        let bytes = try surroundings.contents(path).get()
        if bytes.count > Self.bytesMax {
            let most = Quantity.text(bytes: Self.bytesMax)
            throw UnreadableFile(path: path, reason: "it is larger than \(most)")
        }
        let findings = Findings(file: path, text: String(decoding: bytes, as: UTF8.self))
        guard let root = Self.root(of: bytes, findings) else { return findings.loaded() }
        return load(root, findings)
    }

    /// The tree of a page; nil where the page is empty or unreadable, which is reported.
    static func root(of bytes: [UInt8], _ findings: Findings) -> SourceNode? {
        if let name = otherEncoding(bytes) {
            findings.mistake(
                at: .init(line: 1, column: 1), "the file is in \(name)", expected: "UTF-8",
                suggestion: .advice("save it as UTF-8"))
        } else if String(validating: bytes, as: UTF8.self) == nil {
            let line = findings.lines.firstIndex { $0.contains("\u{FFFD}") } ?? 0
            findings.mistake(at: .init(line: line + 1, column: 1), "not readable as text", expected: "UTF-8")
        } else {
            let root = SourceDocument.root(findings)
            if root.map(\.isNull) ?? findings.mistakes.isEmpty {
                findings.mistake(
                    at: .init(line: 1, column: 1), "the file says nothing",
                    expected: "keys such as 'upstreams:' and 'bindings:'")
            } else {
                return root
            }
        }
        return nil
    }

    /// Reads the declarations of the file, and then checks their meaning.
    private func load(_ root: SourceNode, _ findings: Findings) -> Loaded {
        let root = IncludedPages(self, findings).added(to: root)
        let declaration = RootSection.read(root, ReadingContext(reader: self, findings: findings))
        let checked = declaration.checked()
        let source = SourceIndex(root)
        for finding in checked.findings { findings.add(finding, source) }
        var loaded = findings.loaded(checked.configuration, isMapping: root.entries != nil)
        if loaded.configuration != nil { loaded.bindingPlaces = findings.bindingPlaces(in: root) }
        return loaded
    }

    /// The name of an encoding other than UTF-8, recognised by its byte order mark or by the zeros between ASCII
    /// characters.
    private static func otherEncoding(_ bytes: [UInt8]) -> String? {
        let four = bytes.prefix(4)
        if four.elementsEqual([0xFF, 0xFE, 0, 0]) || four.elementsEqual([0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        let isHalfZero = four.count == 4 && (four[0] == 0) != (four[1] == 0) && (four[0] == 0) == (four[2] == 0)
        return isHalfZero && (four[1] == 0) == (four[3] == 0) ? "UTF-16" : nil
    }
}
