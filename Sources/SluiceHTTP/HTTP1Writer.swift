/// Writes HTTP/1.1 messages into an outbox (RFC 9112).
///
/// Its arguments have to be valid already: parsed by the machines of this module, or checked with ``FieldValue``.
public enum HTTP1Writer {
    /// `HTTP/1.1 200 OK`; an empty `reason` stands for the usual phrase.
    public static func statusLine(
        status: Int, reason: UnsafeRawBufferPointer = .init(start: nil, count: 0), into outbox: inout Outbox
    ) {
        precondition((100...599).contains(status), "no such status")
        if status == 200, reason.isEmpty { return outbox.append("HTTP/1.1 200 OK\r\n") }
        outbox.append("HTTP/1.1 ")
        outbox.append(decimal: status)
        outbox.append(UInt8.space)
        if reason.isEmpty { outbox.append(StatusReason.phrase(for: status)) } else { outbox.append(reason) }
        outbox.append("\r\n")
    }

    public static func field(_ id: FieldID, _ value: UnsafeRawBufferPointer, into outbox: inout Outbox) {
        precondition(id != .other, "a field needs a name")
        field(name: UnsafeRawBufferPointer(id.canonicalName), value: value, into: &outbox)
    }

    public static func field(_ id: FieldID, _ value: StaticString, into outbox: inout Outbox) {
        field(id, UnsafeRawBufferPointer(value), into: &outbox)
    }

    /// `Content-Length: 123` and other numbers.
    public static func field(_ id: FieldID, decimal value: Int, into outbox: inout Outbox) {
        precondition(id != .other, "a field needs a name")
        outbox.append(id.canonicalName)
        outbox.append(": ")
        outbox.append(decimal: value)
        outbox.append("\r\n")
    }

    public static func field(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, into outbox: inout Outbox
    ) {
        let count = name.count + value.count + 4
        outbox.append(upTo: count) { line in
            line.copyBytes(from: name)
            line[name.count] = UInt8(ascii: ":")
            line[name.count + 1] = .space
            UnsafeMutableRawBufferPointer(rebasing: line[(name.count + 2)...]).copyBytes(from: value)
            line[count - 2] = .cr
            line[count - 1] = .lf
            return count
        }
    }

    /// All fields that are not marked. Adjacent lines that the block stores exactly as they are written here are copied
    /// at once.
    public static func fields(_ block: borrowing HeaderBlock, into outbox: inout Outbox) {
        var index = 0
        while index < block.count {
            if block.isMarked(index) {
                index += 1
                continue
            }
            let (lines, next) = block.lines(from: index)
            if next > index {
                outbox.append(lines)
                index = next
            } else {
                field(name: block.name(index), value: block.value(index), into: &outbox)
                index += 1
            }
        }
    }

    /// The empty line.
    public static func endOfHead(into outbox: inout Outbox) {
        outbox.append("\r\n")
    }

    /// One chunk whose data is borrowed (``Outbox/borrow(_:)``); an empty one is left out, because it would end the
    /// content.
    public static func chunk(_ bytes: UnsafeRawBufferPointer, into outbox: inout Outbox) {
        guard bytes.count > 0 else { return }
        outbox.append(hexadecimal: bytes.count)
        outbox.append("\r\n")
        outbox.borrow(bytes)
        outbox.append("\r\n")
    }

    /// The size line of a chunk of `count` bytes, for data that the caller appends in pieces; ``chunkEnd(into:)`` has
    /// to follow it.
    public static func chunkStart(count: Int, into outbox: inout Outbox) {
        precondition(count > 0, "an empty chunk ends the content")
        outbox.append(hexadecimal: count)
        outbox.append("\r\n")
    }

    /// The CRLF after the data of a chunk.
    public static func chunkEnd(into outbox: inout Outbox) {
        outbox.append("\r\n")
    }

    /// The last chunk, without trailers.
    public static func lastChunk(into outbox: inout Outbox) {
        outbox.append("0\r\n\r\n")
    }

    /// The last chunk and those trailers that are not marked.
    public static func lastChunk(trailers: borrowing HeaderBlock, into outbox: inout Outbox) {
        outbox.append("0\r\n")
        fields(trailers, into: &outbox)
        outbox.append("\r\n")
    }
}
