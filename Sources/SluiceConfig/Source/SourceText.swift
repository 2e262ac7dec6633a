/// The text of a page, cut into lines once: without its byte order mark, with a line feed at the end of each line.
struct SourceText: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The offsets at which lines begin.
    private var starts = [0]

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
        }
    }

    /// The lines without their ends; each is made on demand.
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
}
