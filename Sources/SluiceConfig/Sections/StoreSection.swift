import SluiceContract

/// `cache:` of the whole gateway.
enum StoreSection {
    private static let model = CacheSettings()

    static let section = Section(
        name: "store", summary: "Where stored answers are kept, for all bindings with a cache",
        keys: [
            .init(
                "memory", .size, default: Quantity.text(bytes: model.memoryBytes),
                "Memory for stored answers, of the whole process"),
            .init(
                "entry", .size, default: Quantity.text(bytes: model.entryBytes),
                "The largest answer that is stored; at most a part of the memory"),
        ])

    /// Less would hold nothing.
    private static let memoryBytesMin = 64 << 10

    static func read(_ node: SourceNode, _ desk: Desk, into cache: inout CacheSettings) {
        Fields.read(node, section, desk) { fields in
            fields.set("memory", &cache.memoryBytes, desk.size)
            fields.set("entry", &cache.entryBytes, desk.size)
            if cache.memoryBytes < memoryBytesMin {
                desk.findings.mistake(
                    at: fields.keyPlace("memory"), "too little memory to store anything",
                    expected: "at least \(Quantity.text(bytes: memoryBytesMin))",
                    suggestion: .advice("leave 'cache:' out of the bindings to store nothing"))
            }
        }
    }
}
