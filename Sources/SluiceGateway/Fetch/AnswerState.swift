internal import SluiceContract
internal import SluiceHTTP

/// What becomes of an upstream's answer.
enum Treatment {
    /// Nothing yet: its head has not arrived.
    case awaited
    /// Passed through as it is.
    case untouched
    /// Passed through without its content coding, which the client does not take.
    case decoded
    /// The wanted value is cut out and checked: ``AnswerExtraction``.
    case extract
    /// An error: its message and code are read, and it comes out as a problem.
    case mapError
    /// Read to its end; the client gets back what it sent (`answer: echo`).
    case echo
    /// A redirect to the same origin that is followed here.
    case follow
    /// Dropped: the next attempt waits for its time.
    case again
    /// Both sides have left HTTP.
    case tunnel

    /// Whether the client gets other content than the upstream has sent.
    var changesContent: Bool {
        switch self {
        case .decoded, .extract, .mapError, .echo: true
        case .awaited, .untouched, .follow, .again, .tunnel: false
        }
    }
}

/// How far the answer to one attempt has come.
struct AnswerState: ~Copyable {
    var treatment = Treatment.awaited
    /// What is cut out: a value (with ``Treatment/extract`` alone), or a token in an answer that passes through.
    var extraction = AnswerExtraction()
    /// Where the answer comes in a coding, and is read here. With ``Treatment/untouched`` a token is looked for in what
    /// comes out of it, and the client gets what goes in.
    var coded: CodedBody?
    var errorBody = ByteScratch()

    var hasHead: Bool { treatment != .awaited }

    mutating func reset(_ loop: LoopContext) {
        treatment = .awaited
        if let extractor = extraction.end() { loop.giveBack(extractor) }
        if let coded { loop.coding.giveBack(coded) }
        coded = nil
        errorBody.removeAll()
    }
}

/// Whether the client takes its answer as it comes.
enum ReaderState {
    case ready
    /// It takes too little, and nothing is read from the upstream.
    /// - Parameter unsent: bytes that waited for it when that was looked at last; nil until it is.
    case behind(unsent: Int?)
}
