internal import Dispatch
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
internal import Synchronization

/// The folder of a recording, and its settings.
struct RecordingPlace {
    var folder: String
    /// Of one body.
    var bodyBytesMax = 1 << 20
    var names = RecordingNames()
}

/// Writes exchanges into a folder, one file each, and removes secrets, on a thread of its own: no loop waits for
/// either. The queue is bounded; exchanges that find no room, or cannot be recorded, are reported.
final class RecordingWriter: Sendable {
    /// Bytes of exchanges that may wait.
    static let bytesMax = 64 << 20

    private struct State {
        var waiting: [EndedExchange] = []
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

    /// The loops' recorder.
    var recorder: ExchangeRecorder {
        ExchangeRecorder(bodyBytesMax: place.bodyBytesMax, names: place.names) { [weak self] in self?.take($0) }
    }

    private func take(_ outcome: ExchangeRecorder.Outcome) {
        switch outcome {
        case .lost(let what, let why): lose(what, why)
        case .ended(let exchange):
            let cost = exchange.bodyBytes + 4096
            let (fits, isIdle) = state.withLock { state in
                guard state.bytes + cost <= Self.bytesMax else { return (false, false) }
                state.bytes += cost
                state.waiting.append(exchange)
                defer { state.isWriting = true }
                return (true, !state.isWriting)
            }
            if !fits { lose(exchange.name, "\(Self.bytesMax >> 20) MiB wait for the disk") }
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

    private func write(_ ended: EndedExchange) {
        guard var exchange = ended.withoutSecrets() else {
            return lose(ended.name, "its content is no text, and has a credential in it")
        }
        let name = RecordingFolder.name(of: exchange)
        guard let (number, isAmbiguous) = numbers.withLock({ $0.next(name, asking: ended.question) }) else {
            return lose(ended.name, "there are \(Recordings.countMax) already")
        }
        if isAmbiguous {
            logger.warning(
                "requests that differ only in what sounds like a credential are taken for one; --compare NAME keeps it",
                metadata: ["exchange": "\(ended.name)", "file": "\(name)"])
        }
        exchange.number = number
        do throws(RecordingFailure) {
            try output.write(exchange)
            state.withLock { $0.written += 1 }
        } catch {
            lose(ended.name, "\(error)")
        }
    }
}

/// How many exchanges of each request there are, by the names of their files.
private struct RecordingNumbers {
    private struct Request {
        var count = 0
        /// The first one, with what the recording leaves out.
        let question: Int
        var isAmbiguous = false
    }

    private var requests: [String: Request] = [:]
    private var total = 0

    /// - Returns: the place of the next one, and whether it is the first that asks something else than those before;
    ///   nil where there are too many.
    mutating func next(_ name: String, asking question: Int) -> (number: Int, isAmbiguous: Bool)? {
        guard total < Recordings.countMax else { return nil }
        total += 1
        var request = requests[name] ?? Request(question: question)
        request.count += 1
        let isAmbiguous = !request.isAmbiguous && request.question != question
        if isAmbiguous { request.isAmbiguous = true }
        requests[name] = request
        return (request.count, isAmbiguous)
    }
}
