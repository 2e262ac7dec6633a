import Foundation
import Synchronization

/// `posix_spawn` with just the descriptors that the child is meant to have.
enum Spawn {
    private static let lock = Mutex(())

    /// Runs `body` while no child is started, so that a descriptor which it makes and then marks close-on-exec cannot
    /// leak into one: a child that holds the other end of a test's connection keeps it open.
    static func withoutSpawning<Result: Sendable>(_ body: () -> Result) -> Result {
        lock.withLock { _ in body() }
    }

    /// Starts `command`; `descriptors` become 0, 1, 2 and so on.
    /// - Returns: the process, or nil with `errno` set.
    static func process(
        _ command: [String], environment: [String: String], descriptors: [Int32], ownGroup: Bool = false
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch blocks signals on its threads, and a shell may ignore some for what it starts in the background; a
        // child would inherit both.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let result = withoutSpawning {
            posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
        }
        if result != 0 { errno = result }
        return result == 0 ? pid : nil
    }
}
