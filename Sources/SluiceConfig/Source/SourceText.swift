/// The text of a page, cut into lines once: without its byte order mark, with a line feed at the end of each line.
struct SourceText: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where lines begin.
    private var starts = [0]
    private var isASCII = true

    init(_ text: String) {
        var text = text
        text.withUTF8 { read($0) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(text.count)
        var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < text.count {
            var byte = text[index]
            index += 1
            if byte == UInt8(ascii: "\r") {
                if index < text.count, text[index] == UInt8(ascii: "\n") { index += 1 }
                byte = UInt8(ascii: "\n")
            }
            bytes.append(byte)
            if byte == UInt8(ascii: "\n") { starts.append(bytes.count) }
            isASCII = isASCII && byte < 0x80
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The lines without their ends; each is made when it is asked for.
    var lines: Lines { Lines(source: self) }

    struct Lines: RandomAccessCollection, Sendable {
        fileprivate let source: SourceText
        var startIndex: Int { 0 }
        var endIndex: Int { source.starts.count }
        subscript(index: Int) -> String { String(decoding: source.bytes[source.range(index)], as: UTF8.self) }
    }

    private func range(_ line: Int) -> Range<Int> {
        starts[line]..<(line + 1 < starts.count ? starts[line + 1] - 1 : bytes.count)
    }

    /// How far a line has been counted through; places mostly come in order.
    struct Cursor {
        fileprivate var line = -1
        fileprivate var column = 0
        fileprivate var offset = 0
    }

    /// Where the character at a place stands in ``bytes``; nil beyond the line's end.
    func offset(of place: SourceNode.Place, _ cursor: inout Cursor) -> Int? {
        guard starts.indices.contains(place.line - 1), place.column > 0 else { return nil }
        let range = range(place.line - 1)
        if isASCII {
            let offset = range.lowerBound + place.column - 1
            return offset < range.upperBound ? offset : nil
        }
        if cursor.line != place.line || cursor.column > place.column {
            cursor = Cursor(line: place.line, column: 1, offset: range.lowerBound)
        }
        while cursor.column < place.column, cursor.offset < range.upperBound {
            cursor.offset += 1
            // What continues a sequence begins no character.
            while cursor.offset < range.upperBound, bytes[cursor.offset] & 0xC0 == 0x80 { cursor.offset += 1 }
            cursor.column += 1
        }
        return cursor.offset < range.upperBound ? cursor.offset : nil
    }

    /// Puts a character in the place of the one that begins at `offset`.
    mutating func replace(_ character: Unicode.Scalar, at offset: Int) {
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let new = Array(String(character).utf8)
        bytes.replaceSubrange(offset..<end, with: new)
        isASCII = isASCII && character.isASCII
        let growth = new.count - (end - offset)
        if growth != 0 { for index in starts.indices where starts[index] > offset { starts[index] += growth } }
    }

    /// The character that begins at `offset`.
    func character(at offset: Int) -> Unicode.Scalar? {
        String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }
}
