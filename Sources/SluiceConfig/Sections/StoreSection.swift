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
            .init("disk", .text(), "Folder where stored answers outlive the process; made where it is missing"),
            .init(
                "disk-bytes", .size, default: Quantity.text(bytes: model.diskBytes),
                "Space for them in that folder"),
            .init(
                "shared", .either([.text(), .section(SharedStoreSection.section)]),
                "URL of a Redis or Valkey that gateways share stored answers through, or a mapping"),
        ], bareKey: "memory")

    /// Less would hold nothing.
    private static let memoryBytesMin = 64 << 10
    private static let diskBytesMin = 1 << 20

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
            fields.set("disk", &cache.diskPath) { folder($0, desk) }
            fields.set("disk-bytes", &cache.diskBytes, desk.size)
            if cache.diskBytes < diskBytesMin {
                desk.findings.mistake(
                    at: fields.keyPlace("disk-bytes"), "too little space to store anything",
                    expected: "at least \(Quantity.text(bytes: diskBytesMin))",
                    suggestion: .advice("leave 'disk:' out to store nothing there"))
            }
            if fields.has("disk-bytes"), !fields.has("disk") {
                desk.findings.mistake(
                    at: fields.keyPlace("disk-bytes"), "there is no folder that it could speak of",
                    expected: "'disk' with the path of a folder")
            }
            fields.set("shared", &cache.shared) { SharedStoreSection.read($0, desk) }
        }
    }

    /// Not looked for: it is made when the gateway starts.
    private static func folder(_ node: SourceNode, _ desk: Desk) -> String? {
        guard let name = desk.text(node, what: "the path of a folder") else { return nil }
        if name.isEmpty || name.utf8.contains(0) {
            desk.findings.mistake(at: node.place, "no path", expected: "the path of a folder")
            return nil
        }
        let path = desk.beside(name)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
