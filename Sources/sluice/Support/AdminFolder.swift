internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import Glibc

/// The folder of the admin socket.
enum AdminFolder {
    /// A warning if the daemon could not create its socket now; nil if it could, or has none.
    static func warning(_ configuration: SluiceContract.Configuration, in source: ConfigurationFile) -> Mistake? {
        guard let socket = configuration.admin, !socket.hasPrefix("@") else { return nil }
        let folder = SystemCheckup.parent(socket)
        guard FileKind(path: folder) == nil else { return nil }
        return PageText(source).mistake(
            "the folder '\(folder)' is not there", at: [socket, "admin:"],
            advice: isOfUnit(folder)
                ? "the systemd unit makes it as it starts; for a daemon of your own, make it before that starts"
                : "make it before the daemon starts")
    }

    /// Whether the folder is made by the unit (RuntimeDirectory=), or by a user's unit.
    private static func isOfUnit(_ folder: String) -> Bool {
        folder == "/run/sluice" || folder.hasPrefix("/run/user/") && folder.hasSuffix("/sluice")
    }

    /// What root does before a daemon can have ``usualSocket``; empty where its folder is there, or the unit makes it.
    static var firstStep: String {
        if geteuid() != 0 || hasUsualFolder || SystemCheckup.hasUnit { return "" }
        return "make the folder first (mkdir \(SystemCheckup.parent(usualSocket))), then "
    }

    static var hasUsualFolder: Bool { FileKind(path: SystemCheckup.parent(usualSocket)) != nil }

    /// A socket that this user's daemon could have: the unit's folder, or the one that the system has made for the user
    /// (XDG Base Directory Specification).
    static var usualSocket: String {
        if geteuid() == 0 { return "/run/sluice/admin.sock" }
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
        return (folder.hasPrefix("/") ? folder : "/run/user/\(geteuid())") + "/sluice.sock"
    }
}
