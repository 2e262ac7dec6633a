internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The page itself: whether it can be read, what is wrong with it, who may change it.
struct PageCheckup {
    let findings: [Diagnosis]
    /// Nil where it has mistakes.
    let configuration: SluiceContract.Configuration?

    /// Mistakes that are told one by one; `sluice check` tells all.
    private static let mistakesMax = 5

    init(_ file: ConfigurationFile) {
        let loaded: Loaded
        do throws(UnreadableFile) {
            loaded = try file.read()
        } catch {
            configuration = nil
            findings = [.trouble("page", "\(error)", "make one: sluice init; or name yours: sluice doctor FILE")]
            return
        }
        configuration = loaded.configuration
        var findings: [Diagnosis] = []
        var mistakes = loaded.mistakes
        if let mistake = loaded.configuration.flatMap(file.compileMistake) { mistakes.append(mistake) }
        for mistake in mistakes.prefix(Self.mistakesMax) {
            findings.append(.trouble("page", Self.place(mistake), mistake.hint ?? "sluice check \(file.name)"))
        }
        if mistakes.count > Self.mistakesMax {
            let more = Count.words(mistakes.count - Self.mistakesMax, "more mistake")
            findings.append(.trouble("page", more, "sluice check \(file.name)"))
        }
        for warning in loaded.warnings { findings.append(.note("page", Self.place(warning), warning.hint)) }
        if mistakes.isEmpty, let configuration = loaded.configuration {
            let parts = [
                Count.words(configuration.bindings.count, "binding"),
                Count.words(configuration.upstreams.count, "upstream"),
            ]
            findings.insert(.fine("page", "\(file.name): \(parts.joined(separator: ", "))"), at: 0)
        }
        if let others = Self.openness(of: file.path) { findings.append(others) }
        self.findings = findings
    }

    private static func place(_ mistake: Mistake) -> String {
        "\(mistake.file):\(mistake.line): \(mistake.message)"
    }

    /// Whoever may write the page has every credential that it names.
    private static func openness(of path: String) -> Diagnosis? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o022 != 0 else {
            return nil
        }
        return .trouble("page", "\(path) can be written by other users", "chmod go-w \(path)")
    }
}
