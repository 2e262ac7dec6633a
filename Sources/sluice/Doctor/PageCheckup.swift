internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import Synchronization
internal import Glibc

/// Checks the page itself: whether it can be read, its mistakes, and who may change it.
struct PageCheckup {
    let findings: [Diagnosis]
    /// Nil where it has mistakes.
    let configuration: SluiceContract.Configuration?
    /// The page, and what it includes.
    let files: [String]

    /// Mistakes that are listed; `sluice check` lists all.
    private static let mistakesMax = 5

    init(_ file: ConfigurationFile) {
        let loaded: Loaded
        let read = FilesRead()
        do throws(UnreadableFile) {
            loaded = try file.read { read.note($0) }
        } catch {
            (configuration, files) = (nil, [])
            let isHere = FileKind(path: NewFile.usualName) != nil && file.path == ConfigurationOption.defaultPath
            let advice =
                isHere
                ? "name the one that is here: sluice doctor \(NewFile.usualName)"
                : "make one: sluice init; or name yours: sluice doctor FILE"
            findings = [.trouble("page", "\(error)", advice)]
            return
        }
        configuration = loaded.configuration
        files = read.paths
        var findings: [Diagnosis] = []
        var mistakes = loaded.mistakes
        if let mistake = file.compileMistake(loaded) { mistakes.append(mistake) }
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
        findings += Self.openness(of: files)
        self.findings = findings
    }

    private static func place(_ mistake: Mistake) -> String {
        "\(mistake.file):\(mistake.line): \(mistake.message)"
    }

    /// A user who may write the page, or its folder, can get every credential that it names.
    private static func openness(of files: [String]) -> [Diagnosis] {
        var folders: [String] = []
        for folder in files.map(SystemCheckup.parent) where !folders.contains(folder) { folders.append(folder) }
        return (files + folders).compactMap { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            // In a folder such as /tmp users cannot replace each other's files.
            if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX != 0 { return nil }
            if status.st_mode & 0o002 != 0 {
                return .trouble("page", "everybody can write \(path), and so reach every secret", "chmod o-w \(path)")
            }
            // The group of root, or the owner's own group, which usually has the user's number, adds no other user.
            guard status.st_mode & 0o020 != 0, status.st_gid != 0, status.st_gid != status.st_uid else { return nil }
            return .note(
                "page", "group \(status.st_gid) can write \(path), and so reach every secret",
                "fine where all of it may; else: chmod g-w \(path)")
        }
    }
}

/// Notes the files that are read.
private final class FilesRead: Sendable {
    private let state = Mutex<[String]>([])

    var paths: [String] { state.withLock { $0 } }

    func note(_ path: String) {
        state.withLock { if !$0.contains(path) { $0.append(path) } }
    }
}
