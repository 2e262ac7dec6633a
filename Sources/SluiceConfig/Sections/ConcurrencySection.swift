import SluiceContract

/// `concurrency:` of a binding or an upstream: a number, or a mapping with the queue behind it.
enum ConcurrencySection {
    private static let model = ConcurrencyLimit(1)
    private static let limits = 1...1_000_000

    static let section = Section(
        name: "concurrency", summary: "Requests in flight, over all event loops, and those that wait",
        keys: [
            .required("limit", .integer(limits), "Requests in flight at once"),
            .init(
                "queue", .integer(0...100_000), default: String(model.queue),
                "Requests that wait for their turn, first in, first out; the next one is refused with 503"),
            .init("wait", .duration, default: Quantity.text(model.wait), "How long one waits at most"),
        ])

    static let shape = Shape.either([.integer(limits), .section(section)])

    static func read(_ node: SourceNode, _ desk: Desk) -> ConcurrencyLimit? {
        guard node.entries != nil else { return desk.integer(node, in: limits).map { ConcurrencyLimit($0) } }
        var concurrency: ConcurrencyLimit?
        Fields.read(node, section, desk) { fields in
            var read = model
            let limit = fields.required("limit").flatMap { desk.integer($0, in: limits) }
            fields.set("queue", &read.queue) { desk.integer($0, in: 0...100_000) }
            fields.set("wait", &read.wait, desk.wait)
            guard let limit else { return }
            read.limit = limit
            concurrency = read
        }
        return concurrency
    }
}
