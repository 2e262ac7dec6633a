// Reads the status line (RFC 9112 §4), and evaluates the fields of a complete head.
extension ResponseHead {
    enum LineStep {
        case needMore
        /// The line has been read; `length` includes its CRLF.
        case line(length: Int)
        case malformed(StaticString)
    }

    /// Reads the status line from `bytes`, which begin with it.
    mutating func parseLine(_ bytes: UnsafeRawBufferPointer, limit: Int) -> LineStep {
        let window = min(bytes.count, limit)
        guard let base = bytes.baseAddress else { return .needMore }
        do throws(Malformed) {
            guard let length = try parseLine(base, window) else {
                return bytes.count < limit ? .needMore : .malformed("The status line is longer than the limit allows.")
            }
            return .line(length: length)
        } catch {
            return .malformed(error.reason)
        }
    }

    private mutating func parseLine(_ line: UnsafeRawPointer, _ count: Int) throws(Malformed) -> Int? {
        switch HTTPVersion.parse(line, count) {
        case .needMore: return nil
        case .malformed: throw Malformed("The response does not begin with an HTTP version.")
        case .unsupported: throw Malformed("The response is not HTTP/1.")
        case .version(let read): version = read
        }
        guard let code = try parseStatus(line, count) else { return nil }
        status = code
        var position = 12
        if position == count { return nil }
        // The space is required even before an empty reason phrase.
        guard line.load(fromByteOffset: position, as: UInt8.self) == .space else {
            throw Malformed("The status code is not three digits and a space.")
        }
        position += 1
        reasonOffset = position
        position += Scan.fieldValue(line + position, count - position)
        if position == count { return nil }
        reasonCount = position - reasonOffset
        guard line.load(fromByteOffset: position, as: UInt8.self) == .cr else {
            throw Malformed("The reason phrase holds a control character.")
        }
        if position + 1 == count { return nil }
        guard line.load(fromByteOffset: position + 1, as: UInt8.self) == .lf else {
            throw Malformed("The status line holds a CR without its LF.")
        }
        return position + 2
    }

    /// A space and three digits, from 100 to 599 (RFC 9110 §15); nil while some of these bytes are missing.
    private func parseStatus(_ line: UnsafeRawPointer, _ count: Int) throws(Malformed) -> Int? {
        var code = 0
        for index in 8..<12 {
            if index == count { return nil }
            let byte = line.load(fromByteOffset: index, as: UInt8.self)
            guard index == 8 ? byte == .space : byte.isDigit else {
                throw Malformed("The status line has no status code after its version and one space.")
            }
            if index > 8 { code = code * 10 + Int(byte &- 0x30) }
        }
        guard (100...599).contains(code) else { throw Malformed("The status code is not between 100 and 599.") }
        return code
    }

    /// Collects the facts in one pass over the fields, and checks them.
    mutating func conclude(to method: Method) throws(Malformed) {
        var facts = BodyFraming.Facts()
        var connection = ConnectionOptions()
        for index in 0..<fields.count {
            switch fields[index].id {
            case .contentLength:
                facts.contentLength = index
                facts.contentLengthCount += 1
            case .transferEncoding:
                facts.transferEncoding = index
                facts.transferEncodingCount += 1
            case .connection:
                guard connection.read(fields.value(index)) else {
                    throw Malformed("The response's Connection is not a list of tokens.")
                }
            case .keepAlive: keepAliveSeconds = Self.timeout(fields.value(index)) ?? keepAliveSeconds
            default: break
            }
        }
        framing = try BodyFraming.ofResponse(fields, facts, status: status, to: method, version: version)
        keepAlive = connection.keepsAlive(version) && framing != .untilClose
    }

    /// The timeout of `timeout=5, max=100`. The field is only advice, so a value that cannot be read is no fault.
    private static func timeout(_ value: UnsafeRawBufferPointer) -> Int? {
        var list = ListIterator(value)
        while let element = list.next() {
            guard element.count > 8, element.part(0, 8).equalsIgnoringCase("timeout=") else { continue }
            return DecimalNumber.parse(element.part(8, element.count))
        }
        return nil
    }
}
