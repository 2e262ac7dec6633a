internal import Dispatch
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Where exchanges are recorded, and what of them.
struct RecordingPlace {
    var folder: String
    /// Of one body.
    var bodyBytesMax = 1 << 20
    var leftOut: Set<String> = []
    var kept: Set<String> = []
}

/// Writes exchanges into a folder, one file each, on a thread of its own: no loop waits for the disk. What waits is
/// bounded; what finds no room, and what cannot be recorded, is told.
final class RecordingWriter: Sendable {
    /// Bytes of exchanges that may wait.
    static let bytesMax = 64 << 20

    private struct State {
        var waiting: [RecordedExchange] = []
        var bytes = 0
        var isWriting = false
        var written = 0
        var lost = 0
    }

    private struct Key: Hashable {
        var upstream: String
        var method: String
        var target: String
        var body: [UInt8]
    }

    private let place: RecordingPlace
    private let logger: Logger
    private let state = Mutex(State())
    /// How many exchanges of each request there are; used on `queue` alone.
    private let counts = Mutex<[Key: Int]>([:])
    private let queue = DispatchQueue(label: "sluice.recordings")

    /// - Throws: where there can be no such folder.
    init(_ place: RecordingPlace, _ logger: Logger) throws {
        self.place = place
        self.logger = logger
        try Self.makeFolder(place.folder)
        logger.notice("exchanges with upstreams are recorded", metadata: ["folder": "\(place.folder)"])
    }

    /// What loops hand their exchanges to.
    var recorder: ExchangeRecorder {
        ExchangeRecorder(bodyBytesMax: place.bodyBytesMax, leftOut: place.leftOut, kept: place.kept) {
            [weak self] in self?.take($0)
        }
    }

    private func take(_ outcome: ExchangeRecorder.Outcome) {
        switch outcome {
        case .lost(let what, let why): lose(what, why)
        case .recorded(let exchange):
            let cost = exchange.body.count + exchange.requestBody.count + 4096
            let (fits, isIdle) = state.withLock { state in
                guard state.bytes + cost <= Self.bytesMax else { return (false, false) }
                state.bytes += cost
                state.waiting.append(exchange)
                defer { state.isWriting = true }
                return (true, !state.isWriting)
            }
            if !fits { lose("\(exchange.method) \(exchange.target)", "\(Self.bytesMax >> 20) MiB wait for the disk") }
            if isIdle { queue.async { self.drain() } }
        }
    }

    private func lose(_ what: String, _ why: String) {
        state.withLock { $0.lost += 1 }
        logger.warning("an exchange was not recorded", metadata: ["exchange": "\(what)", "reason": "\(why)"])
    }

    /// Waits until all is written.
    func finish() {
        queue.sync {}
        let (written, lost) = state.withLock { ($0.written, $0.lost) }
        logger.notice("recorded", metadata: ["exchanges": "\(written)", "not": "\(lost)"])
    }

    // MARK: - On `queue`

    private func drain() {
        while true {
            let batch = state.withLock { state in
                defer { (state.waiting, state.bytes) = ([], 0) }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            if batch.isEmpty { return }
            for exchange in batch { write(exchange) }
        }
    }

    private func write(_ exchange: RecordedExchange) {
        var exchange = exchange
        let key = Key(
            upstream: exchange.upstream, method: exchange.method, target: exchange.target, body: exchange.requestBody)
        let (number, total) = counts.withLock { counts in
            counts[key, default: 0] += 1
            return (counts[key] ?? 1, counts.values.reduce(0, +))
        }
        guard total <= Recordings.countMax else {
            return lose("\(exchange.method) \(exchange.target)", "there are \(Recordings.countMax) already")
        }
        exchange.number = number
        let path = "\(place.folder)/\(RecordingFolder.name(of: exchange))"
        do throws(RecordingFailure) {
            try Self.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            try Self.write(RecordingFile.text(of: exchange), to: path)
            state.withLock { $0.written += 1 }
        } catch {
            lose("\(exchange.method) \(exchange.target)", "\(error)")
        }
        if number == 1 { removeLater(exchange) }
    }

    /// What an earlier recording had beyond the first one would be given after it.
    private func removeLater(_ exchange: RecordedExchange) {
        var later = exchange
        repeat {
            later.number += 1
        } while unlink("\(place.folder)/\(RecordingFolder.name(of: later))") == 0
    }

    static func makeFolder(_ path: String) throws(RecordingFailure) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw RecordingFailure(path: path, code: errno) }
    }

    /// Under its name once it is whole.
    static func write(_ text: String, to path: String) throws(RecordingFailure) {
        let draft = path + ".part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw RecordingFailure(path: path, code: errno) }
        let result = Array(text.utf8).withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: -1)
        }
        close(descriptor)
        if let code = result.error { throw RecordingFailure(path: path, code: code) }
        if rename(draft, path) != 0 { throw RecordingFailure(path: path, code: errno) }
    }
}

/// Why a recording cannot be written.
struct RecordingFailure: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String { "'\(path)' cannot be written: \(String(cString: strerror(code)))" }
}
