internal import Logging
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Keeps the bearer token of every upstream current: from the configuration, from the environment, or from a file that
/// is read anew when it changes. A token taken from an answer stays across a reload.
final class TokenKeeper: Sendable {
    private struct Entry {
        var source: TokenSource?
        var vault: TokenVault
        var file: TokenFile?
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let logger: Logger
    private let watcher: FileWatcher
    private let credentialsDirectory: String?

    init(watcher: FileWatcher, logger: Logger) {
        self.watcher = watcher
        self.logger = logger
        credentialsDirectory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    /// By the upstream's name.
    var vaults: [String: TokenVault] {
        entries.withLock { $0.mapValues(\.vault) }
    }

    /// Brings the entries in line with the configured upstreams.
    func keep(_ upstreams: [Upstream]) {
        var kept: [String: Entry] = [:]
        let old = entries.withLock { $0 }
        for upstream in upstreams {
            if let known = old[upstream.name], known.source == upstream.bearer {
                kept[upstream.name] = known
            } else {
                kept[upstream.name] = begin(upstream)
            }
        }
        entries.withLock { $0 = kept }
    }

    private func begin(_ upstream: Upstream) -> Entry {
        let vault = TokenVault()
        var entry = Entry(source: upstream.bearer, vault: vault)
        switch upstream.bearer {
        case nil: break
        case .value(let token): vault.set(Array(token.utf8))
        case .env(let name):
            guard let text = EnvironmentSecrets.take(name) else {
                logger.error("no bearer token", metadata: ["upstream": "\(upstream.name)", "variable": "\(name)"])
                break
            }
            vault.set(Array(text.utf8))
        case .file(let path):
            do throws(TokenFileError) {
                entry.file = try TokenFile(
                    path: path, credentialsDirectory: credentialsDirectory, watcher: watcher, logger: logger
                ) { vault.set(Array($0.utf8)) }
            } catch {
                logger.error("no bearer token", metadata: ["upstream": "\(upstream.name)", "reason": "\(error)"])
            }
        }
        return entry
    }
}
