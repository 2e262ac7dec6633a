public import SluiceCache
public import SluiceContract
internal import SluiceFiles
internal import SluiceIO
internal import Glibc

/// The stores of a configuration: memory, and the tiers behind it.
public struct CacheStores: Sendable {
    public let memory: MemoryStore
    /// nil where memory is all there is.
    public let tiers: TierChain?

    /// Opens the stores. One that cannot be opened is left out, with a warning: the gateway serves without it.
    /// - Parameters:
    ///   - credentialsDirectory: `$CREDENTIALS_DIRECTORY`.
    ///   - warn: called with one sentence for the operator, now or later, from any thread.
    public init(
        _ settings: CacheSettings, credentialsDirectory: String?, warn: @escaping @Sendable (String) -> Void
    ) {
        var tiers: [any CacheTier] = []
        let password = settings.shared.flatMap { Self.password($0, credentialsDirectory, warn) }
        let agreed = settings.shared.map { _ in SharedSecret.derive(password: password) }
        let disk = Self.disk(settings, agreed, warn)
        if let disk { tiers.append(disk) }
        let epochs = disk?.epochs ?? Epochs()
        if let shared = settings.shared {
            let tier = SharedTier(
                shared, settings, password: password, marks: disk?.folder.marks ?? SharedMarks(),
                untold: disk?.folder.untold ?? UntoldMarks(), epochs: epochs, warn: warn)
            tier.start()
            tiers.append(tier)
        }
        memory = MemoryStore(settings, secret: disk?.secret ?? agreed, epochs: epochs)
        if tiers.isEmpty {
            self.tiers = nil
        } else {
            let chain = TierChain(tiers)
            epochs.observe { chain.invalidated($0) }
            self.tiers = chain
        }
    }

    private static func disk(
        _ settings: CacheSettings, _ secret: (UInt64, UInt64)?, _ warn: @escaping @Sendable (String) -> Void
    ) -> DiskTier? {
        guard let path = settings.diskPath else { return nil }
        do {
            return try DiskTier(
                path, secret: secret, budget: settings.diskBytes, clock: { time(nil) }, warn: warn)
        } catch {
            warn("answers are kept in memory alone: \(error)")
            return nil
        }
    }

    private static func password(
        _ shared: CacheSettings.SharedStore, _ credentialsDirectory: String?, _ warn: (String) -> Void
    ) -> String? {
        switch shared.password {
        case nil: return nil
        case .value(let text): return text
        case .env(let name):
            if let text = EnvironmentSecrets.take(name) { return text }
            warn("the environment has no variable '\(name)' with the password of the shared cache")
            return nil
        case .file(let path):
            do throws(TokenFileError) {
                return try TokenReader.read(path: path, credentialsDirectory: credentialsDirectory)
            } catch {
                warn("no password for the shared cache: \(error)")
                return nil
            }
        }
    }
}
