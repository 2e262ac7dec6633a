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
    /// - Parameter secrets: variables and files of which requests get values, bearers aside.
    func keep(_ upstreams: [Upstream], _ secrets: [TokenSource] = []) {
        var kept: [String: Entry] = [:]
        let old = entries.withLock { $0 }
        for upstream in upstreams {
            if let known = old[upstream.name], known.source == upstream.bearer {
                kept[upstream.name] = known
            } else {
                kept[upstream.name] = begin(
                    upstream.bearer, missing: "no bearer token", ["upstream": "\(upstream.name)"])
            }
        }
        for secret in secrets {
            guard let name = secret.vaultName else { continue }
            kept[name] = old[name] ?? begin(secret, missing: "no value for a field or parameter", [:])
        }
        entries.withLock { $0 = kept }
    }

    /// - Parameters:
    ///   - missing: what is logged where it cannot be read.
    ///   - metadata: whose it is.
    private func begin(_ source: TokenSource?, missing: Logger.Message, _ metadata: Logger.Metadata) -> Entry {
        let vault = TokenVault()
        var entry = Entry(source: source, vault: vault)
        var metadata = metadata
        switch source {
        case nil: break
        case .value(let token): vault.set(Array(token.utf8))
        case .env(let name):
            guard let text = EnvironmentSecrets.take(name) else {
                metadata["variable"] = "\(name)"
                logger.error(missing, metadata: metadata)
                break
            }
            vault.set(Array(text.utf8))
        case .file(let path):
            do throws(TokenFileError) {
                entry.file = try TokenFile(
                    path: path, credentialsDirectory: credentialsDirectory, watcher: watcher, logger: logger
                ) { vault.set(Array($0.utf8)) }
            } catch {
                metadata["reason"] = "\(error)"
                logger.error(missing, metadata: metadata)
            }
        }
        return entry
    }
}
