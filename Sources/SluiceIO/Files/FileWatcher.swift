internal import Dispatch
internal import SluiceContract
internal import SluiceFiles
internal import Synchronization
internal import Glibc

/// Reports changes of files that are re-read without a restart: tokens, certificates and others.
///
/// The directories are watched, not the files, because the usual ways to change a file put another one in its place: an
/// atomic rename, or the swap of a symbolic link further up (`..data` of a Kubernetes secret). Any event there only
/// leads to a look at the file itself, which is compared with what it was. A slow poll does the same where no event
/// comes: on network file systems, behind links into other directories, for directories that don't exist yet.
public final class FileWatcher: Sendable {
    /// Identifies a watch for ``stop(_:)``.
    public struct Watch: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let path: String
        let changed: @Sendable () -> Void
        var signature: FileSignature?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        /// inotify's watch descriptor of each directory.
        var directories: [String: Int32] = [:]
        var lastNumber = 0
        var isCheckDue = false
    }

    /// Events of a burst are looked at together, after so long.
    private static let settling = DispatchTimeInterval.milliseconds(20)

    private let queue = DispatchQueue(label: "sluice.files")
    private let state = Mutex(State())
    /// -1 where the system has no inotify instance left; the poll remains.
    private let descriptor: Int32
    /// Started in `init`, cancelled in `deinit`, untouched between.
    nonisolated(unsafe) private var events: (any DispatchSourceRead)?
    nonisolated(unsafe) private var poll: any DispatchSourceTimer

    /// - Parameter pollSeconds: how often files are checked without an event.
    public init(pollSeconds: Int = 10) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        poll = DispatchSource.makeTimerSource(queue: queue)
        if descriptor >= 0 { events = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue) }
        poll.schedule(
            deadline: .now() + .seconds(pollSeconds), repeating: .seconds(pollSeconds), leeway: .seconds(1))
        poll.setEventHandler { [weak self] in self?.check() }
        poll.activate()
        let descriptor = descriptor
        events?.setEventHandler { [weak self] in
            Self.discardEvents(of: descriptor)
            self?.scheduleCheck()
        }
        events?.setCancelHandler { close(descriptor) }
        events?.activate()
    }

    deinit {
        poll.cancel()
        events?.cancel()
    }

    /// Calls `changed`, on the watcher's own queue, whenever the file at `path` differs from what it is now, appears or
    /// vanishes. Watch first and read then, so that no change falls between.
    public func watch(_ path: String, changed: @escaping @Sendable () -> Void) -> Watch {
        state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(path: path, changed: changed, signature: nil)
            updateDirectories(&state)
            // After the directory, so that a change between the two is seen.
            state.entries[state.lastNumber]?.signature = FileSignature(path: path)
            return Watch(number: state.lastNumber)
        }
    }

    /// Ends a watch; a call in progress may still come.
    public func stop(_ watch: Watch) {
        state.withLock { state in
            state.entries[watch.number] = nil
            updateDirectories(&state)
        }
    }

    private func scheduleCheck() {
        let isFirst = state.withLock { state in
            defer { state.isCheckDue = true }
            return !state.isCheckDue
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in self?.check() }
    }

    private func check() {
        let changed = state.withLock { state -> [@Sendable () -> Void] in
            state.isCheckDue = false
            updateDirectories(&state)
            var changed: [@Sendable () -> Void] = []
            for number in state.entries.keys.sorted() {
                guard let entry = state.entries[number] else { continue }
                let signature = FileSignature(path: entry.path)
                guard signature != entry.signature else { continue }
                state.entries[number]?.signature = signature
                changed.append(entry.changed)
            }
            return changed
        }
        for call in changed { call() }
    }

    /// Watches the directories in which a change of a watched file can happen: its own, and the one its links lead to.
    /// Adding a directory again is how one that was replaced is found, and costs nothing where it wasn't.
    private func updateDirectories(_ state: inout State) {
        guard descriptor >= 0 else { return }
        var wanted: Set<String> = []
        for entry in state.entries.values {
            wanted.insert(Self.directory(of: entry.path))
            if let target = SecretFile.realPath(entry.path) { wanted.insert(Self.directory(of: target)) }
        }
        let old = state.directories
        state.directories = [:]
        for directory in wanted {
            let watch = inotify_add_watch(descriptor, directory, Self.eventMask)
            if watch >= 0 { state.directories[directory] = watch }
        }
        let current = Set(state.directories.values)
        for watch in old.values where !current.contains(watch) { inotify_rm_watch(descriptor, watch) }
    }

    /// Not IN_MODIFY: a file that is still being written is looked at when it is closed.
    private static var eventMask: UInt32 {
        UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
            | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func discardEvents(of descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress!, buffer.count) > 0 {}
        }
    }
}

/// Distinguishes versions of a file; it follows links.
struct FileSignature: Equatable {
    private let device: UInt64
    private let node: UInt64
    private let mode: UInt32
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    /// Nil where there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
        mode = status.st_mode
        size = Int64(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
