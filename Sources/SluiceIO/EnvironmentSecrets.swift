internal import CLinux
internal import SluiceSigning
internal import Synchronization
internal import Glibc

/// Secrets from the environment. Each is removed from it when it is first asked for, and kept for reloads: any program
/// of the same user can read the environment in `/proc`, and every child process inherits it.
public enum EnvironmentSecrets {
    private static let taken = Mutex<[String: SecretText]>([:])

    /// The value of a variable; nil where there is none.
    public static func take(_ name: String) -> String? {
        taken.withLock { taken in
            if let known = taken[name] { return known.text }
            guard let value = getenv(name) else { return nil }
            let secret = String(cString: value)
            taken[name] = SecretText(secret)
            // Wiped in place, where `/proc` shows it. The variable stays: other threads may be searching the list.
            explicit_bzero(value, strlen(value))
            return secret
        }
    }

    /// The value of a variable, whether it was taken or not; it stays where it is.
    static func value(of name: String) -> String? {
        taken.withLock { taken in
            if let known = taken[name] { return known.text }
            return getenv(name).map { String(cString: $0) }
        }
    }

    /// The environment of this process as it was given; of a name that stands twice the first counts (getenv(3)). A
    /// copy, secrets and all, to be given up soon.
    public static var variables: [String: String] {
        taken.withLock { taken in
            var variables: [String: String] = [:]
            var next = clinux_environment()
            while let entry = next?.pointee {
                let words = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if words.count == 2, variables[String(words[0])] == nil {
                    variables[String(words[0])] = String(words[1])
                }
                next = next?.successor()
            }
            for (name, secret) in taken { variables[name] = secret.text }
            return variables
        }
    }
}
