internal import SluiceContract

/// Documents of the daemon that clients of this loop have asked for, and that are being made.
final class DocumentDesk {
    /// Makes a document; the daemon then calls ``made(_:_:)`` with the same number.
    var maker: ((DaemonDocument, Int) -> Void)?
    private var waiting: [Int: DocumentWork] = [:]
    private var count = 0
    /// Documents that may be waited for at a time: they are made one after the other.
    private static let waitingMax = 32

    func ask(_ document: DaemonDocument, for exchange: Exchange) throws(Problem) {
        guard let maker else { throw Problem(.unknownRoute, detail: "No daemon tells of itself here.") }
        guard waiting.count < Self.waitingMax else {
            throw Problem(.overloaded, detail: "\(Self.waitingMax) others wait for such a document.")
        }
        count += 1
        waiting[count] = DocumentWork(document, for: exchange)
        maker(document, count)
    }

    func made(_ number: Int, _ bytes: [UInt8]) {
        waiting.removeValue(forKey: number)?.answer(bytes)
    }
}

/// One document that is awaited.
private final class DocumentWork: PendingWork {
    private let document: DaemonDocument
    /// The exchange that asked; nil once its client has left.
    private var exchange: Exchange?

    init(_ document: DaemonDocument, for exchange: Exchange) {
        self.document = document
        self.exchange = exchange
        super.init()
        exchange.pendingWork = self
    }

    func answer(_ bytes: [UInt8]) { exchange?.answerText(bytes, type: document.contentType) }

    override func clientLeft() { exchange = nil }
}
