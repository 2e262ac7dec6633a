internal import Dispatch
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
internal import Synchronization

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

    private let place: RecordingPlace
    private let output: RecordingOutput
    private let logger: Logger
    private let state = Mutex(State())
    private let numbers = Mutex(RecordingNumbers())
    private let queue = DispatchQueue(label: "sluice.recordings")

    /// - Throws: where there can be no such folder, or another process writes into it.
    init(_ place: RecordingPlace, _ logger: Logger) throws(RecordingFailure) {
        self.place = place
        self.logger = logger
        output = try RecordingOutput(place.folder)
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
        let what = "\(exchange.method) \(exchange.target)"
        var exchange = exchange
        exchange.number = 1
        guard let number = numbers.withLock({ $0.next(RecordingFolder.name(of: exchange)) }) else {
            return lose(what, "there are \(Recordings.countMax) already")
        }
        // What an earlier recording had beyond the first one would be given after it.
        if number == 1 { removeLater(exchange) }
        exchange.number = number
        do throws(RecordingFailure) {
            try output.write(exchange)
            state.withLock { $0.written += 1 }
        } catch {
            lose(what, "\(error)")
        }
    }

    private func removeLater(_ exchange: RecordedExchange) {
        var later = exchange
        repeat {
            later.number += 1
        } while output.remove(later)
    }
}

/// How many exchanges of each request there are, by the names of their files.
private struct RecordingNumbers {
    private var counts: [String: Int] = [:]
    private var total = 0

    /// - Returns: the place of the next one; nil where there are too many.
    mutating func next(_ name: String) -> Int? {
        guard total < Recordings.countMax else { return nil }
        total += 1
        counts[name, default: 0] += 1
        return counts[name]
    }
}
