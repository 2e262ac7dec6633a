internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles

/// Folders that have to be there before a daemon starts: those of the admin socket and of the logs.
enum FolderCheck {
    /// The files whose folders these are, by their keys.
    static func files(_ configuration: SluiceContract.Configuration) -> [(key: String, file: String)] {
        var files: [(key: String, file: String)] = []
        if case .file(let path)? = configuration.log.access { files.append(("log: access", path)) }
        if let path = configuration.log.audit, path != "-" { files.append(("log: audit", path)) }
        if let socket = configuration.admin, !socket.hasPrefix("@") { files.append(("admin", socket)) }
        return files
    }

    /// A warning for each that is not there now.
    static func warnings(_ configuration: SluiceContract.Configuration, in source: ConfigurationFile) -> [Mistake] {
        let missing = files(configuration).filter { FileKind(path: SystemCheckup.parent($0.file)) == nil }
        if missing.isEmpty { return [] }
        let text = PageText(source)
        return missing.map { key, file in
            let folder = SystemCheckup.parent(file)
            return text.mistake(
                "the folder '\(folder)' is not there", at: [file, "\(key.split(separator: " ").last ?? ""):"],
                advice: isOfUnit(folder)
                    ? "the systemd unit makes it as it starts; for a daemon of your own, make it before that starts"
                    : "make it before the daemon starts")
        }
    }

    /// Whether the unit makes the folder (RuntimeDirectory=, LogsDirectory=), or a user's unit does.
    private static func isOfUnit(_ folder: String) -> Bool {
        folder == "/run/sluice" || folder == "/var/log/sluice"
            || folder.hasPrefix("/run/user/") && folder.hasSuffix("/sluice")
    }
}
