/// Splits a `Link` field (RFC 8288 §3) from front to end: targets in brackets, strings in quotes, commas between links,
/// and the text between these. Together the pieces are the whole field.
///
/// RFC 8288 B.4 reads a string that is never closed up to the end of the field, together with the links in it. A client
/// may read it otherwise, so no such link may lead around the gateway, and the list must not end there: an unclosed
/// quote counts as an ordinary character, and so do those behind it.
struct LinkPieces {
    enum Kind {
        /// With its brackets.
        case target
        /// With its quotes (RFC 9110 §5.6.4).
        case quoted
        /// Neither in a target nor in quotes.
        case comma
        case other
    }

    private var rest: Slice<UnsafeRawBufferPointer>
    /// Whether the rest of the field may have quoted strings.
    private var hasQuotes = true
    /// Whether the rest of the field may have targets.
    private var hasTargets = true

    init(_ field: UnsafeRawBufferPointer) { rest = field[...] }

    mutating func next() -> (kind: Kind, bytes: Slice<UnsafeRawBufferPointer>)? {
        guard let first = rest.first else { return nil }
        let (kind, end) = piece(first)
        defer { rest = rest[end...] }
        return (kind, rest[..<end])
    }

    private mutating func piece(_ first: UInt8) -> (Kind, end: Int) {
        switch first {
        case UInt8(ascii: "\"") where hasQuotes:
            if let end = quoteEnd { return (.quoted, end) }
            hasQuotes = false
        case UInt8(ascii: ","): return (.comma, rest.startIndex + 1)
        case UInt8(ascii: "<") where hasTargets:
            if let close = rest.firstIndex(of: UInt8(ascii: ">")) { return (.target, close + 1) }
            hasTargets = false
        default: break
        }
        let begins: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "<")]
        return (.other, rest.dropFirst().firstIndex { begins.contains($0) } ?? rest.endIndex)
    }

    /// nil where the string is not closed.
    private var quoteEnd: Int? {
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            index += rest[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < rest.endIndex ? index + 1 : nil
    }
}
