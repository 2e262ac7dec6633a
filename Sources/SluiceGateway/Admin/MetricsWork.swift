/// One scrape, written in as many turns of the loop as it takes.
final class MetricsWork: PendingWork {
    private var page: MetricsPage
    private let contentType: StaticString
    /// The exchange that asked; nil once its client has left.
    private var exchange: Exchange?

    init(_ page: MetricsPage, for exchange: Exchange) {
        self.page = page
        contentType = page.contentType
        self.exchange = exchange
        super.init()
        exchange.pendingWork = self
    }

    /// - Returns: whether there is more to do in another turn.
    func step() -> Bool {
        guard let exchange else { return false }
        if page.step() { return true }
        exchange.answerText(page.bytes, type: contentType)
        return false
    }

    override func clientLeft() { exchange = nil }
}
