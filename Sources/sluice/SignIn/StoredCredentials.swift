internal import SluiceContract
internal import SluiceCredentials
internal import SluiceJSON
internal import Glibc

/// One line of `sluice credentials`.
struct ListedCredential: Decodable {
    var name: String
    var kind: String
    var state: String
    var obtainedAt: Int?
    var expiresAt: Int?
    var scope: String?
    var lastError: String?
    var lastUsedAt: Int?
    var lastBinding: String?
    var lastClient: String?

    /// As the admin socket writes it.
    var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        func number(_ value: Int?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            ("name", .string(name)), ("kind", .string(kind)), ("state", .string(state)),
            ("obtained_at", number(obtainedAt)), ("expires_at", number(expiresAt)), ("scope", text(scope)),
            ("last_error", text(lastError)), ("last_used_at", number(lastUsedAt)),
            ("last_binding", text(lastBinding)), ("last_client", text(lastClient)),
        ])
    }
}

/// The credentials of a page where no daemon runs: as the state folder has them.
struct StoredCredentials {
    /// Nil where there is none.
    let folder: String?
    let entries: [ListedCredential]

    /// - Throws: exit code 1 where the folder cannot be read.
    init(_ page: SluiceContract.Configuration) throws {
        let state: StateFolder?
        do throws(StateFault) { state = try StateFolder(of: page) } catch { throw Say.failure("sluice: \(error)") }
        folder = state?.path
        let now = Int(time(nil))
        entries = page.shownCredentials.sorted { $0.name < $1.name }.map { Self.entry($0, state, at: now) }
    }

    private static func entry(_ credential: Credential, _ folder: StateFolder?, at now: Int) -> ListedCredential {
        var entry = ListedCredential(name: credential.name, kind: type(of: credential.kind).word, state: "not running")
        guard case .tokens(let client) = credential.kind.source else { return entry }
        do throws(StateFault) {
            guard let record = try folder?.load(credential.name), record.belongs(to: client) else {
                entry.state = client.grant.needsLogin ? "sign-in needed" : "missing"
                return entry
            }
            entry.obtainedAt = record.obtainedAt
            entry.expiresAt = record.expiresAt
            entry.scope = record.scope
            entry.lastError = record.signedOut
            let isOver = record.accessToken == nil || record.expiresAt.map { $0 <= now } ?? false
            let isRenewable = TokenQuestion(client, record) != nil
            entry.state =
                record.signedOut != nil || (isOver && !isRenewable && client.grant.needsLogin)
                ? "sign-in needed" : isOver ? "missing" : "ready"
        } catch {
            entry.state = "failing"
            entry.lastError = "\(error)"
        }
        return entry
    }
}
