/// One event as it goes out to all watchers (WHATWG HTML §9.2.5); its bytes are shared by all loops.
final class WatchEvent: Sendable {
    private let content: StableBytes

    /// The address is valid as long as the event lives.
    var bytes: UnsafeRawBufferPointer { content.bytes }
    var count: Int { content.count }

    /// A comment, which shows that the stream is alive.
    static let heartbeat = WatchEvent(Array(":\n\n".utf8))

    private init(_ content: [UInt8]) {
        self.content = StableBytes(content)
    }

    convenience init(_ parts: Part...) {
        var content: [UInt8] = []
        for part in parts { part.write(into: &content) }
        self.init(content)
    }

    /// An event, or one of several that go out together.
    struct Part {
        var name: StaticString
        var id: WatchID?
        var data: [UInt8]

        init(_ name: StaticString, id: WatchID? = nil, data: [UInt8]) {
            (self.name, self.id, self.data) = (name, id, data)
        }

        fileprivate func write(into out: inout [UInt8]) {
            if let id { out += "id: \(id)\n".utf8 }
            out += "event: \(name)\n".utf8
            var rest: ArraySlice<UInt8>? = data[...]
            // Text with a final line end gets an empty last line: otherwise the client would lose that line end.
            while let line = rest {
                let end = line.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? line.endIndex
                out += "data: ".utf8
                out += line[..<end]
                out.append(0x0A)
                // A line ends with LF, CR, or both in this order.
                let isPair = end + 1 < line.endIndex && line[end] == 0x0D && line[end + 1] == 0x0A
                rest = end < line.endIndex ? line[(end + (isPair ? 2 : 1))...] : nil
            }
            out.append(0x0A)
        }
    }
}

/// Identifies a change, so that a client that reconnects can say what it has seen (`Last-Event-ID`).
struct WatchID: Sendable, Equatable, CustomStringConvertible {
    /// Which log the number belongs to: a log that does not continue an earlier one has a new epoch.
    var epoch: UInt64
    var number: UInt64

    var description: String { String(epoch, radix: 16) + "-\(number)" }

    init(epoch: UInt64, number: UInt64) {
        (self.epoch, self.number) = (epoch, number)
    }

    /// - Returns: nil where the text is no such identifier.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 40, parts.count == 2, let epoch = UInt64(parts[0], radix: 16),
            let number = UInt64(parts[1])
        else { return nil }
        self.init(epoch: epoch, number: number)
    }
}
