internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles

/// Folders that have to be there before a daemon starts: those of the admin socket and of the logs.
enum FolderCheck {
    /// A warning for each that is not there now.
    static func warnings(_ configuration: SluiceContract.Configuration, in source: ConfigurationFile) -> [Mistake] {
        var wanted: [(key: String, file: String)] = []
        if let socket = configuration.admin, !socket.hasPrefix("@") { wanted.append(("admin:", socket)) }
        if case .file(let path)? = configuration.log.access { wanted.append(("access:", path)) }
        if let path = configuration.log.audit, path != "-" { wanted.append(("audit:", path)) }
        let missing = wanted.filter { FileKind(path: SystemCheckup.parent($0.file)) == nil }
        if missing.isEmpty { return [] }
        let text = PageText(source)
        return missing.map { key, file in
            let folder = SystemCheckup.parent(file)
            return text.mistake(
                "the folder '\(folder)' is not there", at: [file, key],
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
