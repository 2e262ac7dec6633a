internal import SluiceContract
internal import SluiceFiles
internal import Glibc

/// Checks the machine: folders, descriptors, the clock, and changes of the service unit.
enum SystemCheckup {
    static func findings(_ configuration: SluiceContract.Configuration) -> [Diagnosis] {
        folders(configuration) + [descriptors(configuration.limits)] + clock() + units() + onlooker()
    }

    // MARK: - Folders

    private static func folders(_ configuration: SluiceContract.Configuration) -> [Diagnosis] {
        var wanted: [(key: String, folder: String)] = []
        if let path = configuration.state { wanted.append(("state", path)) }
        if let path = configuration.cache.diskPath { wanted.append(("cache: disk", path)) }
        if case .file(let path)? = configuration.log.access { wanted.append(("log: access", parent(path))) }
        if let path = configuration.log.audit, path != "-" { wanted.append(("log: audit", parent(path))) }
        if let path = configuration.admin, !path.hasPrefix("@") { wanted.append(("admin", parent(path))) }
        for case .unix(let path) in configuration.listen.map(\.address) where !path.hasPrefix("@") {
            wanted.append(("listen", parent(path)))
        }
        let found = wanted.compactMap { folder($0.folder, for: $0.key) }
        if found.isEmpty, !wanted.isEmpty {
            return [
                .fine(
                    "folders",
                    wanted.map(\.folder).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
                        .joined(separator: ", "))
            ]
        }
        return found
    }

    static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Nil where there is nothing to say.
    private static func folder(_ path: String, for key: String) -> Diagnosis? {
        if access(path, F_OK) != 0 {
            let isOfUnit = ["/run/", "/var/cache/", "/var/lib/", "/var/log/"].contains { path == $0 + "sluice" }
            return isOfUnit
                ? .note(
                    "folders", "\(path), for '\(key)', is not there",
                    "the systemd unit makes it while it runs; else: mkdir")
                : .trouble("folders", "\(path), for '\(key)', is not there", "mkdir -p \(path), for the daemon's user")
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
