internal import SluiceContract
internal import SluiceFiles
internal import Glibc

/// Checks the machine: folders, descriptors, the clock, and changes of the service unit.
enum SystemCheckup {
    static func findings(_ configuration: SluiceContract.Configuration) -> [Diagnosis] {
        folders(configuration) + [descriptors(configuration.limits)] + clock() + units() + onlooker()
    }

    // MARK: - Folders

    /// A folder that the daemon writes to.
    private struct Wanted {
        var key: String
        var folder: String
        var maker = Maker.others

        /// Who makes it where it is missing.
        enum Maker {
            case others
            /// The daemon, with mode 0700; for the state all folders above it as well.
            case daemon(withThoseAbove: Bool)
        }

        var isThere: Bool { access(folder, F_OK) == 0 }

        /// Whether it is missing, and a daemon of this user makes it.
        var willBeMade: Bool {
            guard case .daemon(let withThoseAbove) = maker, !isThere else { return false }
            var above = SystemCheckup.parent(folder)
            while withThoseAbove, access(above, F_OK) != 0, above != SystemCheckup.parent(above) {
                above = SystemCheckup.parent(above)
            }
            return FileKind(path: above) == .folder && access(above, W_OK | X_OK) == 0
        }
    }

    private static func folders(_ configuration: SluiceContract.Configuration) -> [Diagnosis] {
        var wanted: [Wanted] = []
        if let path = configuration.state {
            wanted.append(Wanted(key: "state", folder: path, maker: .daemon(withThoseAbove: true)))
        }
        if let path = configuration.cache.diskPath {
            wanted.append(Wanted(key: "cache: disk", folder: path, maker: .daemon(withThoseAbove: false)))
        }
        func add(_ key: String, _ file: String) { wanted.append(Wanted(key: key, folder: parent(file))) }
        for (key, file) in FolderCheck.files(configuration) { add(key, file) }
        for case .unix(let path) in configuration.listen.map(\.address) where !path.hasPrefix("@") {
            add("listen", path)
        }
        let found = wanted.compactMap(folder)
        if found.isEmpty, !wanted.isEmpty {
            let names = wanted.map { $0.folder + ($0.willBeMade ? " (will be made)" : "") }
            return [
                .fine(
                    "folders",
                    names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", "))
            ]
        }
        return found
    }

    static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Nil where there is nothing to say.
    private static func folder(_ wanted: Wanted) -> Diagnosis? {
        let (path, key) = (wanted.folder, wanted.key)
        if !wanted.isThere {
            if wanted.willBeMade { return nil }
            let isOfUnit = ["/run/", "/var/cache/", "/var/lib/", "/var/log/"].contains { path == $0 + "sluice" }
            // The daemon refuses to keep secrets where others can write; clients of a socket have to get in.
            let mode = ["admin", "listen"].contains(key) ? "" : "-m 700 "
            return isOfUnit
                ? .note(
                    "folders", "\(path), for '\(key)', is not there",
                    "the systemd unit makes it while it runs; else: mkdir \(mode)\(path)")
                : .trouble(
                    "folders", "\(path), for '\(key)', is not there",
                    "mkdir \(mode)-p \(path), for the daemon's user")
        }
        if access(path, W_OK | X_OK) == 0 { return nil }
        return .note(
            "folders", "\(path), for '\(key)', cannot be written by this user",
            "fine where the daemon runs as another one, which can: ls -ld \(path)")
    }

    // MARK: - Limits and time

    private static func descriptors(_ limits: Limits) -> Diagnosis {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // One descriptor for the client, one for the upstream.
        let wanted = UInt64(limits.connections * 2 + limits.descriptorReserve)
        let words = "\(limits.connections) connections may take \(wanted) descriptors"
        if UInt64(limit.rlim_max) >= wanted { return .fine("limits", words + ", and may") }
        return .note(
            "limits", words + "; from here a process may have \(limit.rlim_max)",
            "LimitNOFILE= of the unit, ulimit -Hn of the shell, or a lower 'limits: {connections: …}'")
    }

    /// systemd-timesyncd(8) creates a file once the time is synchronized; ``UpstreamCheckup`` compares upstreams'
    /// clocks.
    private static func clock() -> [Diagnosis] {
        let folder = "/run/systemd/timesync"
        if access(folder, F_OK) != 0 { return [] }
        if access("\(folder)/synchronized", F_OK) == 0 { return [.fine("clock", "synchronised")] }
        return [.note("clock", "systemd-timesyncd has not reached a server yet", "timedatectl timesync-status")]
    }

    // MARK: - Who looks

    /// Root reads and writes what the service's own user does not.
    private static func onlooker() -> [Diagnosis] {
        guard geteuid() == 0, hasUnit else { return [] }
        return [
            .note(
                "user", "secrets and folders are judged as root sees them, and the service is another user",
                "a secret for it lies in /etc/credstore, with LoadCredential= in a drop-in; its start tells the rest: "
                    + "journalctl -u sluice -p err -n 20")
        ]
    }

    // MARK: - The unit

    private static let unitFolders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"]

    /// Whether this machine has the service.
    static var hasUnit: Bool { unitFolders.contains { access("\($0)/sluice.service", F_OK) == 0 } }

    private static func units() -> [Diagnosis] {
        let present = unitFolders.filter { access("\($0)/sluice.service", F_OK) == 0 }
        guard let first = present.first else { return [] }
        var found: [Diagnosis] = []
        if first != "/usr/lib/systemd/system", present.count > 1 {
            found.append(
                .note(
                    "unit", "\(first)/sluice.service takes the place of the packaged one",
                    "compare them: systemd-delta --type=overridden"))
        }
        let dropIns = unitFolders.flatMap { folder in
            ["service", "socket"].flatMap { kind in
                let path = "\(folder)/sluice.\(kind).d"
                return ((try? FolderReader.names(in: path)) ?? []).filter { $0.hasSuffix(".conf") }.map {
                    "\(path)/\($0)"
                }
            }
        }
        for path in dropIns.sorted() { found.append(.note("unit", "\(path) changes it", "systemctl cat sluice")) }
        if access("/etc/systemd/system/sockets.target.wants/sluice.socket", F_OK) == 0 {
            found.append(
                .note(
                    "unit", "sluice.socket is enabled: its addresses take the place of 'listen:'",
                    "systemctl edit sluice.socket, or systemctl disable --now sluice.socket"))
        }
        return found.isEmpty ? [.fine("unit", "\(first)/sluice.service, as it came")] : found
    }
}
