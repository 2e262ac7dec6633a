/// How an upstream's answer is handled.
enum Treatment {
    /// Not decided: the head has not arrived.
    case awaited
    /// Passed through as it is.
    case untouched
    /// Passed through without its content coding, which the client does not take.
    case decoded
    /// Passed through without a content coding, with URLs of the upstream rewritten as local ones.
    case edited
    /// The wanted value is cut out and checked: ``AnswerExtraction``.
    case extract
    /// An error: its message and code are read, and the client gets a problem.
    case mapError
    /// Read to its end; the client gets back what it sent (`answer: echo`).
    case echo
    /// A redirect to the same origin that the gateway follows itself.
    case follow
    /// Dropped: the next attempt waits for its time.
    case again
    /// Both sides have left HTTP.
    case tunnel

    /// Whether the answer can be a page after the first, or an error in its place. An error with a type of its own is
    /// neither: its value is no list.
    func mayBePage(status: Int) -> Bool {
        switch self {
        case .extract: status < 400
        case .mapError, .follow: true
        case .awaited, .untouched, .decoded, .edited, .echo, .again, .tunnel: false
        }
    }

    /// Whether the client gets other content than the upstream sent.
    var changesContent: Bool {
        switch self {
        case .decoded, .edited, .extract, .mapError, .echo: true
        case .awaited, .untouched, .follow, .again, .tunnel: false
        }
    }
}
