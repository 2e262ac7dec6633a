extension Composition {
    /// Why a text names no part, and what to write instead.
    public struct Malformed: Error, Hashable, Sendable {
        public var message: String
        public var expected: String
    }
}

extension Composition.Reference {
    /// Reads `user.address.city`.
    public init(reading text: String) throws(Composition.Malformed) {
        let path: FieldPath
        do {
            path = try FieldPath.read(text)
        } catch {
            throw Composition.Malformed(message: "'\(text)' names no value: \(error.message)", expected: error.expected)
        }
        guard let first = path.components.first, case .key(let name) = first.step, !first.isOptional else {
            throw Composition.Malformed(
                message: "'\(text)' begins with no name", expected: "a part or a parameter, such as user.id")
        }
        self.init(name, FieldPath(components: Array(path.components.dropFirst())))
    }
}

extension Composition.Part {
    /// Reads what is asked: a method and a local target, with values in braces.
    ///
    ///     from  = method " " path [ "?" item *( "&" item ) ]
    ///     item  = name "=" text
    ///     text  = *( literal / "{" reference "}" )
    public init(_ name: String, reading text: String) throws(Composition.Malformed) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, words[1].hasPrefix("/"), !words[0].isEmpty else {
            throw Composition.Malformed(
                message: "'\(text)' is no request", expected: "a method, a space and a local path: GET /users/{id}")
        }
        var reader = TargetReader(rest: words[1].dropFirst())
        var path: [Composition.Text] = []
        repeat { path.append(try reader.text(until: "/?")) } while reader.takes("/")
        // The root has no segment.
        if path == [[]] { path = [] }
        var query: [Composition.QueryItem] = []
        if reader.takes("?") {
            repeat { query.append(try reader.item()) } while reader.takes("&")
        }
        self.init(name, method: String(words[0]), path: path, query: query)
    }
}

/// Takes a target apart from its front.
private struct TargetReader {
    var rest: Substring

    mutating func takes(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    mutating func item() throws(Composition.Malformed) -> Composition.QueryItem {
        let name = rest.prefix { $0 != "=" && $0 != "&" && $0 != "{" }
        rest = rest[name.endIndex...]
        guard !name.isEmpty, takes("=") else {
            throw Composition.Malformed(
                message: "'\(name)\(rest)' is no parameter of a query", expected: "a name, '=' and a value: limit=20")
        }
        return Composition.QueryItem(String(name), try text(until: "&"))
    }

    /// What stands in braces may hold anything, the ends included.
    mutating func text(until ends: String) throws(Composition.Malformed) -> Composition.Text {
        var pieces: Composition.Text = []
        while let first = rest.first, !ends.contains(first) {
            guard first == "{" else {
                let literal = rest.prefix { $0 != "{" && !ends.contains($0) }
                try check(literal)
                pieces.append(.text(String(literal)))
                rest = rest[literal.endIndex...]
                continue
            }
            guard let close = rest.firstIndex(of: "}") else {
                throw Composition.Malformed(message: "a '{' in '\(rest)' has no '}'", expected: "{user.id}")
            }
            pieces.append(
                .value(try Composition.Reference(reading: String(rest[rest.index(after: rest.startIndex)..<close]))))
            rest = rest[rest.index(after: close)...]
        }
        return pieces
    }

    /// RFC 3986 §3.3, §3.4: what a path and a query can hold, but for what ends a text here.
    private func check(_ literal: Substring) throws(Composition.Malformed) {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~!$'()*+,;:@%".utf8.contains(byte)
            }
        }
        guard let byte = literal.utf8.first(where: { !isPlain($0) }) else { return }
        let shown = byte < 0x80 ? "'\(Character(Unicode.Scalar(byte)))'" : "a character that"
        throw Composition.Malformed(
            message: "\(shown) in '\(literal)' needs percent-encoding", expected: "text as URLs have it")
    }
}
