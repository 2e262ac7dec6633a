internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Secrets that came in the environment. Each is taken out of it when it is first asked for, and kept for a reload:
/// what stands in the environment, any program of the same user can read in `/proc`, and every child gets it.
public enum EnvironmentSecrets {
    private static let taken = Mutex<[String: String]>([:])

    /// The value of a variable; nil where there is none.
    public static func take(_ name: String) -> String? {
        taken.withLock { taken in
            if let known = taken[name] { return known }
            guard let value = getenv(name) else { return nil }
            let secret = String(cString: value)
            taken[name] = secret
            // In place, where the system shows it. The variable stays: others may be searching the list.
            explicit_bzero(value, strlen(value))
            return secret
        }
    }
}
