import Testing

/// The folders of `SluiceGateway` are rooms: a type refers to types of its own room, and of those that stand before it
/// in the list.
@Suite struct RoomTests {
    static let order = [
        "Basics", "Time", "Traces", "Metrics", "Problems", "Inspection", "Admission", "Routes", "Coding", "Loop",
        "Upstreams",
        "Requests",
        "Fetch",
        "OwnRequests", "CacheFlow", "Corridor", "Composition", "Watching", "Clients", "Admin", "Gateway",
    ]

    /// References to a later room that there still are. None may be added, and one that is gone is taken off.
    static let remaining: Set<String> = []

    private static let files = SourceFile.swiftSources.filter { $0.target == "SluiceGateway" }

    /// `Fetch` of `Sources/SluiceGateway/Fetch/Judge.swift`; nil where the file is in none.
    private static func room(_ file: SourceFile) -> Int? {
        let parts = file.path.split(separator: "/")
        return parts.count == 4 ? order.firstIndex(of: String(parts[2])) : nil
    }

    @Test(arguments: files)
    func everyFileHasARoom(_ file: SourceFile) {
        #expect(Self.room(file) != nil, "put it into one of \(Self.order)")
    }

    @Test func referencesPointToEarlierRooms() {
        var rooms: [Substring: Int] = [:]
        for file in Self.files {
            guard let room = Self.room(file) else { continue }
            for name in Self.declared(in: file, isNested: false) { rooms[name] = room }
        }
        #expect(rooms.count > 100)
        var found: Set<String> = []
        for file in Self.files {
            guard let room = Self.room(file) else { continue }
            let own = Self.declared(in: file, isNested: true)
            for name in Self.names(in: file).subtracting(own) where (rooms[name] ?? 0) > room {
                found.insert("\(file.stem.prefix { $0 != "+" }) → \(name)")
            }
        }
        for reference in found.subtracting(Self.remaining).sorted() {
            Issue.record("\(reference) points to a later room: move what both need to an earlier one")
        }
        for reference in Self.remaining.subtracting(found).sorted() {
            Issue.record("\(reference) is gone: take it off the list")
        }
    }

    private static let declarators: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    private static func declared(in file: SourceFile, isNested: Bool) -> Set<Substring> {
        var names: Set<Substring> = []
        for line in file.lines where isNested || line.first != " " {
            let words = words(of: line)
            for (word, next) in zip(words, words.dropFirst()) where declarators.contains(word) { names.insert(next) }
        }
        return names
    }

    private static func names(in file: SourceFile) -> Set<Substring> {
        Set(file.lines.flatMap(words).filter { $0.first?.isUppercase == true })
    }

    /// Those of a line's code: without its comment and the text of its strings.
    private static func words(of line: Substring) -> [Substring] {
        let plain = line.replacing("\\\"", with: "")
        let parts = plain.split(separator: "\"", omittingEmptySubsequences: false)
        let outside = stride(from: 0, to: parts.count, by: 2).map { String(parts[$0]) }.joined(separator: " ")
        let code = outside.firstRange(of: "//").map { outside[..<$0.lowerBound] } ?? outside[...]
        return code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
