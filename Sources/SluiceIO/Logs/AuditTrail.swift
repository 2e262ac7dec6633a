internal import Synchronization

/// The audit log of the credential runners, where it is on.
final class AuditTrail: Sendable {
    /// Events of a credential. Times are seconds since 1970.
    enum Event: Hashable, Sendable {
        /// A sign-in was begun at the admin socket.
        case signInBegun(user: UInt32?)
        case signInFailed(String)
        case signedIn(expiresAt: Int?, scope: String?)
        case renewed(before: Int?, expiresAt: Int?)
        case renewalFailed(String)
        /// An upstream has refused the credential.
        case refused
        case signInNeeded(String)
        case signOutBegun(user: UInt32?)
        case signedOut
    }

    private let buffer = Mutex<AccessLogBuffer?>(nil)

    /// Where lines go from now on; nil switches it off.
    func write(to buffer: AccessLogBuffer?) { self.buffer.withLock { $0 = buffer } }

    func note(_ event: Event, of credential: String) {
        guard let buffer = buffer.withLock({ $0 }) else { return }
        let (name, members) = event.words
        let line = AuditLine.line(name, at: Timestamp.now(), [("credential", .text(credential))] + members)
        line.withUnsafeBytes { buffer.append($0) }
    }
}

extension AuditTrail.Event {
    fileprivate var words: (name: String, members: [AuditLine.Member]) {
        switch self {
        case .signInBegun(let user): ("sign-in-begun", [("uid", .number(user.map { Int($0) }))])
        case .signInFailed(let reason): ("sign-in-failed", [("reason", .text(reason))])
        case .signedIn(let end, let scope): ("signed-in", [("expires_at", .number(end)), ("scope", .text(scope))])
        case .renewed(let before, let end):
            ("renewed", [("expires_at", .number(end)), ("expires_at_before", .number(before))])
        case .renewalFailed(let reason): ("renewal-failed", [("reason", .text(reason))])
        case .refused: ("refused", [])
        case .signInNeeded(let reason): ("sign-in-needed", [("reason", .text(reason))])
        case .signOutBegun(let user): ("sign-out-begun", [("uid", .number(user.map { Int($0) }))])
        case .signedOut: ("signed-out", [])
        }
    }
}
