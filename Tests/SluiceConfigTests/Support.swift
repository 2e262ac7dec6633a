import Testing

@testable import SluiceConfig
import SluiceContract

/// A configuration and the files around it, all in memory.
struct Bench {
    var yaml: String
    var files: [String: File] = [:]
    var credentialsDirectory: String?
    var environment: [String: String] = [:]
    var secrets = ConfigurationReader.Secrets.required

    struct File: Sendable {
        var text: String
        var permissions = 0o600
        var isContainer = false
    }

    init(_ yaml: String, files: [String: File] = [:], environment: [String: String] = [:]) {
        self.yaml = yaml
        self.files = files
        self.environment = environment
    }

    /// A reader that knows no file but these.
    var reader: ConfigurationReader {
        var files = files
        files["/etc/sluice/sluice.yaml"] = File(text: yaml)
        let known = files
        let surroundings = Surroundings(
            contents: { path in
                guard let file = known[path] else {
                    return .failure(UnreadableFile(path: path, reason: "there is no such file"))
                }
                return .success(Array(file.text.utf8))
            },
            secretFile: { path, credentials in
                guard let file = known[path] else { return nil }
                var facts = SecretFile(mode: UInt32(file.permissions))
                facts.isContainer = file.isContainer
                facts.isCredential = credentials.map { path.hasPrefix($0 + "/") } ?? false
                return facts
            },
            names: { folder in
                let below = known.keys.filter { $0.hasPrefix(folder + "/") }.map { $0.dropFirst(folder.count + 1) }
                if below.isEmpty { return .failure(UnreadableFile(path: folder, reason: "there is no such folder")) }
                return .success(Array(Set(below.map { String($0.prefix { $0 != "/" }) })))
            }, target: { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
        return ConfigurationReader(
            path: "/etc/sluice/sluice.yaml", credentialsDirectory: credentialsDirectory, environment: environment,
            surroundings: surroundings, secrets: secrets)
    }

    func load() -> Loaded {
        do {
            let loaded = try reader.read()
            Corpus.check(loaded, self)
            return loaded
        } catch {
            Issue.record("\(error)")
            return Loaded(configuration: nil)
        }
    }

    /// The configuration, with an issue where there are mistakes.
    func configuration(_ location: SourceLocation = #_sourceLocation) -> Configuration {
        let loaded = load()
        for mistake in loaded.mistakes { Issue.record("\(mistake)", sourceLocation: location) }
        return loaded.configuration ?? Configuration()
    }

    /// Mistakes as `line:column: message`, with what was suggested behind an arrow.
    var mistakes: [String] { load().mistakes.map(Self.text) }
    var warnings: [String] { load().warnings.map(Self.text) }

    private static func text(_ mistake: Mistake) -> String {
        let suggestion: String =
            switch mistake.suggestion {
            case .didYouMean(let name): " → \(name)"
            case .advice(let advice): " → \(advice)"
            case nil: ""
            }
        return "\(mistake.line):\(mistake.column): \(mistake.message)\(suggestion)"
    }
}

/// A whole configuration around one binding of the fruit API.
func fruit(_ bindings: String, types: String = "", upstream: String = "", root: String = "") -> Bench {
    func indented(_ text: String, by spaces: Int) -> String {
        text.split(separator: "\n").map { String(repeating: " ", count: spaces) + $0 + "\n" }.joined()
    }
    return Bench(
        root + (root.isEmpty ? "" : "\n") + "bindings:\n" + indented(bindings, by: 2) + "upstreams:\n  fruit:\n"
            + "    url: https://fruit.example/v1\n" + indented(upstream, by: 4)
            + (types.isEmpty ? "" : "types:\n" + indented(types, by: 2)))
}

/// A small generator whose run is its seed's alone.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
