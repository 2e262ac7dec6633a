internal import SluiceCache
internal import Synchronization
internal import Glibc

/// The file of invalidation counters, with what is known of other gateways' invalidations, and with those that the
/// shared store has not been told of.
///
/// It is read once and then only written, each change at once: an invalidation is on record before the answer to the
/// request that caused it goes out, even if the process dies. The counters in use are in memory, so damage to the file
/// has no effect before a restart, and is repaired from there. The file is not mapped: access to a truncated mapping
/// would raise a signal.
///
/// Event loops record changes, and wait only for the kernel to copy them: all other work on the file is done without
/// the lock, by one thread at a time.
///
///     magic, serial        8 bytes each, 64 with what is reserved
///     counters             of ``Epochs``, 4 bytes each
///     words                of ``SharedMarks``, 8 bytes each
///     untold               1 byte for each of the words: 1 where the shared store has not heard of an invalidation
final class CounterFile: Sendable {
    private struct State {
        /// nil where there is no file that could be written to.
        var descriptor: Int32?
        /// A number that is unique to this file.
        var serial: UInt64
        /// Indices of ``SharedMarks`` that the shared store has not heard of.
        var untold: Set<Int> = []
        /// Why a write has failed (errno); 0 where none has.
        var fault: Int32 = 0
    }

    /// The file's contents when it was opened.
    struct Contents {
        var counts: [UInt32]
        var words: [UInt64]
        var untold: Set<Int>
    }

    private let path: String
    private let state: Mutex<State>

    private static let magic: UInt64 = 0x325f_5348_434f_5045
    private static let countsAt = 64
    private static let wordsAt = countsAt + Epochs.slotCount * MemoryLayout<UInt32>.stride
    private static let untoldAt = wordsAt + SharedMarks.keptCount * MemoryLayout<UInt64>.stride
    private static let byteCount = untoldAt + SharedMarks.wordCount

    /// Opens the file; where it is missing or not whole, it begins anew, with another serial.
    init(_ path: String, _ contents: (Contents) -> Void) throws(StoreFailure) {
        self.path = path
        if let (descriptor, bytes) = Self.read(path) {
            let (serial, read) = Self.contents(bytes)
            state = Mutex(State(descriptor: descriptor, serial: serial, untold: read.untold))
            contents(read)
        } else {
            let serial = UInt64.random(in: 1...UInt64.max)
            let descriptor = try Self.make(path)
            // All is 0 yet, and no entry belongs to this serial: it may come to the disk in any order.
            let code = Self.seal(descriptor, serial)
            guard code == 0 else {
                close(descriptor)
                throw Self.unwritable(path, code)
            }
            state = Mutex(State(descriptor: descriptor, serial: serial))
        }
    }

    deinit { end() }

    var serial: UInt64 { state.withLock { $0.serial } }

    /// Whether a restart would find this file, with everything in it.
    var isWhole: Bool {
        guard let descriptor = state.withLock({ $0.fault == 0 ? $0.descriptor : nil }) else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_size == off_t(Self.byteCount)
            && FileIdentity(path) == FileIdentity(status)
    }

    func record(_ slot: UInt32, _ count: UInt32) {
        withUnsafeBytes(of: count) { write($0, at: Self.countsAt + Int(slot) * MemoryLayout<UInt32>.stride) }
    }

    func record(_ first: Int, _ words: UnsafeBufferPointer<UInt64>) {
        write(UnsafeRawBufferPointer(words), at: Self.wordsAt + first * MemoryLayout<UInt64>.stride)
    }

    /// Whether the shared store has yet to hear of an invalidation.
    /// - Parameter index: of ``SharedMarks``.
    func record(_ index: Int, isUntold: Bool) {
        state.withLock { state in
            if isUntold { state.untold.insert(index) } else { state.untold.remove(index) }
            withUnsafeBytes(of: isUntold) { write($0, at: Self.untoldAt + index, &state) }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        state.withLock { write(bytes, at: offset, &$0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ state: inout State) {
        guard let descriptor = state.descriptor, state.fault == 0 else { return }
        state.fault = Self.write(bytes, to: descriptor, at: offset)
        if state.fault == 0 { return }
        // A restart before the file is rewritten must not find the old count.
        if Self.voidMagic(of: descriptor) != 0, ftruncate(descriptor, 0) != 0 { unlink(path) }
    }

    /// Waits until everything is on the disk.
    func sync() {
        if let descriptor = state.withLock({ $0.descriptor }) { fdatasync(descriptor) }
    }

    /// Puts a new file in the place of one that is gone or damaged, and waits until it is on the disk: the counters
    /// before the word that makes them count, and the file in the place of the old one.
    /// - Parameters:
    ///   - epochs: the counters as they are.
    ///   - keepsSerial: whether the entries that depend on the counters are still there.
    func renew(_ epochs: Epochs, keepsSerial: Bool) throws(StoreFailure) {
        unlink(path)
        let new: Int32
        do throws(StoreFailure) {
            new = try Self.make(path)
        } catch {
            end()
            throw error
        }
        let serial = keepsSerial ? self.serial : UInt64.random(in: 1...UInt64.max)
        let (old, fault) = state.withLock { state -> (Int32?, Int32) in
            let old = state.descriptor
            // Counts made meanwhile are recorded after this, in the new file.
            let counts = (0..<UInt32(Epochs.slotCount)).map { epochs.current($0).epoch }
            let fault = Self.fill(new, counts: counts, untold: state.untold)
            state = State(descriptor: new, serial: serial, untold: state.untold, fault: fault)
            return (old, fault)
        }
        if let old { close(old) }
        var code = fault
        if code == 0, fdatasync(new) != 0 { code = errno }
        if code == 0 { code = seal(serial) }
        if code == 0, fdatasync(new) != 0 { code = errno }
        guard code == 0 else {
            end()
            throw Self.unwritable(path, code)
        }
        Self.syncFolder(of: path)
    }

    /// Makes the file a whole one; it stays none where a count could not be recorded meanwhile.
    /// - Returns: errno, or 0.
    private func seal(_ serial: UInt64) -> Int32 {
        state.withLock { state in
            if state.fault != 0 { return state.fault }
            // It has been given up meanwhile.
            guard let descriptor = state.descriptor else { return EIO }
            return Self.seal(descriptor, serial)
        }
    }

    /// Voids the file, so that it is not used again: it may have been moved away, and come back.
    func spoil() {
        guard let descriptor = takeDescriptor() else { return }
        _ = Self.voidMagic(of: descriptor)
        close(descriptor)
    }

    /// Stops writing: the file may belong to another process from now on.
    func end() {
        if let descriptor = takeDescriptor() { close(descriptor) }
    }

    private func takeDescriptor() -> Int32? {
        state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
    }

    // MARK: - The file

    /// A whole file and its contents; nil where there is none.
    private static func read(_ path: String) -> (Int32, [UInt8])? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        // One byte more than the size: a longer file is invalid.
        var bytes = [UInt8](repeating: 0, count: byteCount + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let isWhole = count == byteCount && bytes.withUnsafeBytes { $0.load(as: UInt64.self) } == magic
        if !isWhole { close(descriptor) }
        return isWhole ? (descriptor, bytes) : nil
    }

    /// An empty file, which the next start does not take for a whole one.
    private static func make(_ path: String) throws(StoreFailure) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw StoreFailure("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        // Reserves the space, so that a disk that fills up later does no harm.
        let code = posix_fallocate(descriptor, 0, off_t(byteCount))
        guard code == 0 else {
            close(descriptor)
            throw unwritable(path, code)
        }
        return descriptor
    }

    /// The contents of a whole file.
    private static func contents(_ bytes: [UInt8]) -> (serial: UInt64, Contents) {
        bytes.withUnsafeBytes { raw in
            func numbers<Number>(_ range: Range<Int>) -> [Number] {
                Array(UnsafeRawBufferPointer(rebasing: raw[range]).bindMemory(to: Number.self))
            }
            let untold = (0..<SharedMarks.wordCount).filter { raw[untoldAt + $0] != 0 }
            let contents = Contents(
                counts: numbers(countsAt..<wordsAt), words: numbers(wordsAt..<untoldAt), untold: Set(untold))
            return (raw.load(fromByteOffset: 8, as: UInt64.self), contents)
        }
    }

    /// - Returns: errno, or 0.
    private static func fill(_ descriptor: Int32, counts: [UInt32], untold: Set<Int>) -> Int32 {
        var code = counts.withUnsafeBytes { write($0, to: descriptor, at: countsAt) }
        for index in untold where code == 0 {
            code = withUnsafeBytes(of: true) { write($0, to: descriptor, at: untoldAt + index) }
        }
        return code
    }

    /// Makes a file a whole one. The magic word comes last: what is cut short is no such file.
    /// - Returns: errno, or 0.
    private static func seal(_ descriptor: Int32, _ serial: UInt64) -> Int32 {
        [magic, serial].withUnsafeBytes { write($0, to: descriptor, at: 0) }
    }

    /// Waits until the names in the folder of `path` are on the disk. Where that fails, nothing else would help.
    private static func syncFolder(of path: String) {
        guard let end = path.lastIndex(of: "/") else { return }
        let folder = open(String(path[...end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// - Returns: errno, or 0.
    private static func voidMagic(of descriptor: Int32) -> Int32 {
        withUnsafeBytes(of: 0 as UInt64) { write($0, to: descriptor, at: 0) }
    }

    private static func unwritable(_ path: String, _ code: Int32) -> StoreFailure {
        StoreFailure("\(path) cannot be written: \(String(cString: strerror(code)))")
    }

    /// - Returns: errno, or 0.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int32 {
        if bytes.count == 0 { return 0 }
        let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0 { return errno }
        // A file takes less where there is no room for all (write(2)).
        return count == bytes.count ? 0 : ENOSPC
    }
}

/// Which file a path leads to.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
