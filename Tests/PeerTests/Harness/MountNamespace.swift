import Foundation
import Testing

/// A process with mounts of its own, made by unshare(1): as root, or as a user who may be root in a namespace.
enum MountNamespace {
    /// What stands before a command; nil where the machine allows neither.
    static let prefix: [String]? = [["unshare", "--mount"], ["unshare", "--mount", "--user", "--map-root-user"]]
        .first { prefix in
            let script = "mount -t tmpfs tmpfs /mnt"
            guard let process = try? ChildProcess(prefix + ["/bin/sh", "-c", script]) else { return false }
            return (try? process.waitForExit()) == 0
        }

    static func run(_ script: String, _ arguments: String..., environment: [String: String] = [:]) throws
        -> ChildProcess
    {
        guard let prefix else { throw HarnessError("no mount namespace") }
        return try ChildProcess(prefix + ["/bin/sh", "-c", script] + arguments, environment: environment)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that mount something.
    static var needsMounts: Self {
        .enabled(if: MountNamespace.prefix != nil, "this machine lets nobody mount in a namespace of its own")
    }
}
