internal import SluiceFiles
internal import Glibc

/// The folder of the admin socket.
enum AdminFolder {
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
