/// A stored answer as the admin socket lists it.
struct CacheEntry: Decodable {
    var key: String
    var binding: String?
    var target: String
    var status: Int
    var bytes: Int
    var age: Int
    var lifetime: Int
    var state: String
    var recentHits: Int
    var tags: [String]

    // With details.
    var lifetimeFrom: String?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var mustRevalidate: Bool?
    var noCache: Bool?
    var softPurged: Bool?
    var validators: Validators?
    var groups: [String]?
    var fields: [[String]]?
    var body: String?
    var bodyHex: String?

    struct Validators: Decodable {
        var etag: String?
        var lastModified: String?
    }

    struct List: Decodable {
        var entries: [CacheEntry]
        var next: String?
        var behindMemory: [String]

        /// The text for an empty list.
        /// - Parameter isSelected: whether the list was restricted.
        func nothing(isSelected: Bool) -> String {
            let what = isSelected ? " of that" : ""
            if behindMemory.isEmpty { return "nothing is stored\(what)" }
            let places = behindMemory.map { $0 == "disk" ? "on disk" : "in the shared store" }
            return "nothing\(what) is in memory; what is \(places.joined(separator: " or ")) comes into it once it is"
                + " asked for"
        }
    }

    /// All facts, one per line, followed by the fields and the beginning of the body.
    var page: String {
        var lines = [
            "key         \(key)", "binding     \(binding ?? "-")", "target      \(target)",
            "state       \(state): \(age) s old, fresh until \(lifetime) s" + (lifetimeFrom.map { " (\($0))" } ?? ""),
        ]
        if softPurged == true { lines.append("            made stale by a purge") }
        var windows: [String] = []
        if let seconds = staleWhileRevalidate, seconds > 0 { windows.append("while-revalidate \(seconds) s") }
        if let seconds = staleIfError, seconds > 0 { windows.append("if-error \(seconds) s") }
        if mustRevalidate == true { windows.append("never (must-revalidate)") }
        if noCache == true { windows.append("asked for again each time (no-cache)") }
        if !windows.isEmpty { lines.append("stale       \(windows.joined(separator: ", "))") }
        if let etag = validators?.etag { lines.append("validator   ETag \(etag)") }
        if let modified = validators?.lastModified { lines.append("validator   Last-Modified \(modified)") }
        if !tags.isEmpty { lines.append("tags        \(tags.joined(separator: ", "))") }
        if let groups, !groups.isEmpty { lines.append("groups      \(groups.joined(separator: ", "))") }
        lines.append("hits        \(hits) of late")
        lines.append("")
        lines.append("\(status)")
        for field in fields ?? [] { lines.append(field.joined(separator: ": ")) }
        lines.append("")
        lines.append(Self.beginning(text: body, hex: bodyHex, of: bytes))
        return lines.joined(separator: "\n")
    }

    /// Three or more hits are not distinguished.
    var hits: String { recentHits >= 3 ? "3 or more" : "\(recentHits)" }

    /// In units that people read.
    var size: String { Self.size(bytes) }

    /// Any number of bytes in such units.
    static func size(_ bytes: Int) -> String {
        bytes < 10_240 ? "\(bytes) B" : bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    private static func beginning(text: String?, hex: String?, of bytes: Int) -> String {
        let shown = text?.utf8.count ?? (hex?.count ?? 0) / 2
        let rest = shown < bytes ? "\n… \(bytes - shown) bytes more" : ""
        return (text ?? hex ?? "") + rest
    }
}
