internal import SluiceConsole
internal import SluiceContract
internal import Glibc

/// Checks the running daemon: whether it answers, its version, and whether it has read the current page.
struct DaemonCheckup {
    let findings: [Diagnosis]

    private static let seconds = 3

    /// The admin socket's answer to `/reloads`.
    private struct Reloads: Decodable {
        var reloads: [Reload]

        struct Reload: Decodable {
            var at: Int
            var accepted: Bool
            var faults: [String]
        }
    }

    /// - Parameter files: the files that make up the page.
    init(_ configuration: SluiceContract.Configuration, page: String, files: [String]) {
        guard let path = configuration.admin else {
            findings = [
                .note(
                    "daemon", "the page has no admin socket, so that it cannot be asked",
                    "\(AdminFolder.firstStep)add 'admin: \(AdminFolder.usualSocket)', for sluice tail, top, cache "
                        + "and reload as well")
            ]
            return
        }
        guard let client = try? AdminClient(path: path, seconds: Self.seconds) else {
            findings = [.trouble("daemon", "'\(path)' is too long for the path of a socket", "shorten 'admin:'")]
            return
        }
        switch MetricsWatch.look(client) {
        case .failure(let failure) where failure.isDenied:
            findings = [.note("daemon", "only root and its own user may ask at \(path)", "sudo sluice doctor \(page)")]
        case .failure(let failure) where failure.isUnconnected:
            findings = [.note("daemon", "none answers at \(path)", "sluice serve \(page), or systemctl start sluice")]
        case .failure(let failure):
            findings = [.trouble("daemon", "\(failure)", "systemctl status sluice, and journalctl -u sluice")]
        case .success(let snapshot):
            let reading = Self.reading(client, page, files).map { [$0] } ?? []
            findings = [Self.version(snapshot.version)] + reading + Self.credentials(client, page)
        }
    }

    private struct Credentials: Decodable {
        var credentials: [ListedCredential]
    }

    /// Credentials that upstreams are not shown at present.
    private static func credentials(_ client: AdminClient, _ page: String) -> [Diagnosis] {
        guard let (answer, body) = try? client.send("/credentials", by: "GET"), answer.status == 200,
            let listed = try? JSONReading.value(Credentials.self, of: body, isSnakeCase: true).credentials
        else { return [] }
        // A credential that no request has needed yet is missing, too.
        let failing = listed.filter {
            ["failing", "sign-in needed"].contains($0.state) || $0.state == "missing" && $0.lastError != nil
        }
        if failing.isEmpty {
            if listed.isEmpty { return [] }
            return [.fine("credentials", "\(Count.words(listed.count, "credential")), none fails")]
        }
        return failing.map { credential in
            let reason = credential.lastError.map { ": \($0.printable)" } ?? ""
            let advice =
                switch credential.kind {
                case "oauth2": "sluice login \(credential.name) --config \(page)"
                case "command": "run its program by hand, then sluice credentials refresh \(credential.name)"
                default: "look at where the page takes it from, then sluice reload \(page)"
                }
            return .trouble("credentials", "'\(credential.name)': \(credential.state)\(reason)", advice)
        }
    }

    private static func version(_ running: String) -> Diagnosis {
        if running == Release.version { return .fine("daemon", "it runs, version \(running)") }
        return .trouble(
            "daemon", "version \(running) runs, and this is \(Release.version)",
            "start it anew: systemctl restart sluice")
    }

    /// Whether the daemon last read the page as it is now, and without mistakes.
    private static func reading(_ client: AdminClient, _ page: String, _ files: [String]) -> Diagnosis? {
        guard let (answer, body) = try? client.send("/reloads", by: "GET"), answer.status == 200,
            let reloads = try? JSONReading.value(Reloads.self, of: body), let last = reloads.reloads.first
        else { return nil }
        if !last.accepted {
            return .trouble(
                "daemon", "it has refused the page: \(last.faults.first ?? "see its log")",
                "correct it, then sluice reload \(page)")
        }
        // Moving an older file there changes this time, too.
        let changed = files.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_ctim.tv_sec > last.at
        }
        return changed.map { .note("daemon", "\($0) has changed since it was read", "sluice reload \(page)") }
    }
}
