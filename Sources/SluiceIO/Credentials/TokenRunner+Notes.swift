internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway

/// Log messages about one OAuth credential.
extension TokenRunner {
    func tell(_ change: TokenChange) {
        switch change {
        case .renewed(let before, let end): tools.audit.note(.renewed(before: before, expiresAt: end), of: name)
        case .signedIn(let end, _) where !client.grant.needsLogin:
            tools.audit.note(.renewed(before: nil, expiresAt: end), of: name)
        case .signedIn(let end, let scope):
            tools.audit.note(.signedIn(expiresAt: end, scope: scope), of: name)
            tools.logger.notice("signed in", metadata: ["credential": "\(name)", "scope": "\(scope ?? "")"])
        case .signedOut:
            tools.audit.note(.signedOut, of: name)
            tools.logger.notice("signed out", metadata: ["credential": "\(name)"])
        }
    }

    func log(_ note: TokenMachine.Note) {
        let metadata: Logger.Metadata = ["credential": "\(name)"]
        func with(_ reason: String) -> Logger.Metadata { metadata.merging(["reason": "\(reason)"]) { $1 } }
        switch note {
        case .renewed: tools.logger.info("token renewed", metadata: metadata)
        case .notRenewed(let reason):
            tools.audit.note(.renewalFailed(reason), of: name)
            tools.logger.warning("token not renewed", metadata: with(reason))
        case .signInNeeded(let reason):
            tools.audit.note(.signInNeeded(reason), of: name)
            if client.grant.needsLogin {
                tools.logger.error("sign-in needed; run: sluice login \(name)", metadata: with(reason))
            } else {
                tools.logger.error("no token, and none comes without help", metadata: with(reason))
            }
        case .notSaved(let reason):
            tools.logger.error("token not kept on disk; it is tried again", metadata: with(reason))
        }
    }

    /// The stored token is another client's, which would lose it.
    func tellForeign(_ fault: StateFault) {
        tools.logger.error(
            "a token is not kept, and ends with the daemon", metadata: ["credential": "\(name)", "reason": "\(fault)"])
    }
}
