import SluiceCredentials
import Synchronization

/// A disk that forgets in a power cut what was not synced, and where a daemon can die in the middle of any step.
final class SimulatedDisk: StateDisk {
    fileprivate enum Change {
        case put(String, [UInt8])
        case gone(String)
    }

    private struct State {
        /// What reads find.
        var files: [String: [UInt8]] = [:]
        /// What a power cut leaves for sure.
        var durable: [String: [UInt8]] = [:]
        /// Names that have changed since the folder was synced, in order.
        var unsynced: [Change] = []
        var locks: Set<String> = []
        var isFull = false
        /// So many steps from now on the process dies.
        var stepsLeft: Int?
        var isInterrupted = false
        var changes = 0
    }

    private let state = Mutex(State())
    private let syncs: Bool

    /// - Parameter syncs: whether a folder that is synced is.
    init(syncs: Bool = true) { self.syncs = syncs }

    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Of files that readers know by name.
    var changes: Int { state.withLock { $0.changes } }

    /// - Parameter steps: nil is never.
    func interrupt(after steps: Int?) { state.withLock { $0.stepsLeft = steps } }

    /// Whether the process that has used it last died in the middle of a step.
    func takeInterruption() -> Bool {
        state.withLock { state in
            defer { state.isInterrupted = false }
            return state.isInterrupted
        }
    }

    /// - Parameter chance: how many of the changes that were not synced have made it.
    func cutPower(_ chance: (Int) -> Int) {
        state.withLock { state in
            state.files = state.durable
            for change in state.unsynced.prefix(chance(state.unsynced.count + 1)) { change.apply(&state.files) }
            state.durable = state.files
            state.unsynced = []
            state.changes += 1
        }
    }

    // MARK: - Steps

    func prepare(_ folder: String) throws(StateFault) {}

    func read(_ file: String, atMost countMax: Int) throws(StateFault) -> StateFile? {
        state.withLock { $0.files[file].map { StateFile($0) } }
    }

    func write(_ bytes: [UInt8], to file: String, in folder: String) throws(StateFault) {
        try step { state, isCutShort throws(StateFault) in
            if state.isFull { throw StateFault("no space left on device") }
            let content = isCutShort ? Array(bytes.prefix(bytes.count / 2)) : bytes
            state.files[file] = content
            state.unsynced.append(.put(file, content))
        }
    }

    func rename(_ file: String, to name: String) throws(StateFault) {
        try step { state, isCutShort throws(StateFault) in
            if isCutShort { return }
            guard let content = state.files[file] else { throw StateFault("no such file") }
            state.files[file] = nil
            state.files[name] = content
            state.unsynced += [.put(name, content), .gone(file)]
            state.changes += 1
        }
    }

    func remove(_ file: String) throws(StateFault) {
        try step { state, isCutShort throws(StateFault) in
            if isCutShort { return }
            state.files[file] = nil
            state.unsynced.append(.gone(file))
            state.changes += 1
        }
    }

    func syncFolder(_ folder: String) throws(StateFault) {
        try step { state, isCutShort throws(StateFault) in
            if isCutShort || !syncs { return }
            state.durable = state.files
            state.unsynced = []
        }
    }

    func lock(_ file: String, in folder: String) throws(StateFault) -> StateLock? {
        guard state.withLock({ $0.locks.insert(file).inserted }) else { return nil }
        return StateLock { self.state.withLock { _ = $0.locks.remove(file) } }
    }

    private func step(_ body: (inout State, Bool) throws(StateFault) -> Void) throws(StateFault) {
        try state.withLock { state throws(StateFault) in
            guard let left = state.stepsLeft else { return try body(&state, false) }
            state.stepsLeft = left > 0 ? left - 1 : nil
            try body(&state, left == 0)
            if left > 0 { return }
            state.isInterrupted = true
            throw StateFault("the process is dead")
        }
    }
}

extension SimulatedDisk.Change {
    fileprivate func apply(_ files: inout [String: [UInt8]]) {
        switch self {
        case .put(let name, let content): files[name] = content
        case .gone(let name): files[name] = nil
        }
    }
}
