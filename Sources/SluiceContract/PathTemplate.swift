/// A path with placeholders: `/fruits/{id}/seeds/**`.
///
/// A placeholder fills one whole segment or a part of it (`/v{version}/x`); a final `**` stands for the rest.
public struct PathTemplate: Hashable, Sendable {
    public var segments: [Segment]
    /// Whether the path ends in `/**`.
    public var hasRest: Bool

    /// One segment: text and placeholders in turn, at least one part; an empty segment (a trailing `/`) has none.
    public typealias Segment = [Part]

    public enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(String)
    }

    public init(segments: [Segment], hasRest: Bool) {
        self.segments = segments
        self.hasRest = hasRest
    }

    /// The names in braces, in order.
    public var placeholders: [String] {
        segments.joined().compactMap { part in
            if case .placeholder(let name) = part { name } else { nil }
        }
    }

    /// Why a template could not be read, with the offset of the byte where it went wrong.
    public struct Malformed: Error, Hashable, Sendable {
        public var offset: Int
        public var message: String
    }

    /// Reads the notation.
    public init(_ text: String) throws(Malformed) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw Malformed(offset: 0, message: "a path begins with '/'")
        }
        var segments: [Segment] = []
        var offset = 1
        var hasRest = false
        let pieces = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            let piece = String(Substring(piece))
            if piece == "**" {
                guard index == pieces.count - 1 else {
                    throw Malformed(offset: offset, message: "'**' stands only at the end of a path")
                }
                hasRest = true
            } else if pieces.count > 1 || !piece.isEmpty {
                segments.append(try Self.segment(piece, at: offset))
            }
            offset += piece.utf8.count + 1
        }
        self.init(segments: segments, hasRest: hasRest)
    }

    private static func segment(_ text: String, at base: Int) throws(Malformed) -> Segment {
        var parts: Segment = []
        var rest = Substring(text)
        func offset() -> Int { base + text.utf8.count - rest.utf8.count }
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            if !literal.isEmpty {
                parts.append(.text(String(literal)))
                rest = rest[literal.endIndex...]
                continue
            }
            guard rest.first == "{", let close = rest.firstIndex(of: "}") else {
                throw Malformed(offset: offset(), message: "a placeholder is written {name}")
            }
            let name = rest[rest.index(after: rest.startIndex)..<close]
            let isName = name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
                    || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
            guard !name.isEmpty, isName else {
                throw Malformed(
                    offset: offset(), message: "a placeholder's name is made of letters, digits, '_' and '-'")
            }
            if case .placeholder = parts.last {
                throw Malformed(offset: offset(), message: "two placeholders need text between them")
            }
            parts.append(.placeholder(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        return parts
    }
}

extension PathTemplate: CustomStringConvertible {
    public var description: String {
        let texts = segments.map { segment in
            segment.map { part in
                switch part {
                case .text(let text): text
                case .placeholder(let name): "{\(name)}"
                }
            }.joined()
        }
        return "/" + (texts + (hasRest ? ["**"] : [])).joined(separator: "/")
    }
}
