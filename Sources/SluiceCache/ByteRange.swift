public import SluiceHTTP

/// `Range: bytes=…` of one part (RFC 9110 §14.1.2).
public enum ByteRange: Equatable, Sendable {
    /// None, another unit, not well-formed, or several parts: the whole is answered (RFC 9110 §14.2).
    case whole
    case part(Range<Int>)
    /// 416.
    case unsatisfiable

    /// - Parameter length: of the complete representation, bytes.
    public init(_ request: borrowing HeaderBlock, length: Int) {
        guard request.count(of: .range) == 1, let index = request.firstIndex(of: .range) else {
            self = .whole
            return
        }
        self = Self.parse(request.value(index), length: length)
    }

    static func parse(_ value: UnsafeRawBufferPointer, length: Int) -> ByteRange {
        let unit = Array("bytes=".utf8)
        guard value.count > unit.count, zip(value, unit).allSatisfy({ ($0 &- 0x41 < 26 ? $0 | 0x20 : $0) == $1 })
        else { return .whole }
        var list = ListIterator(UnsafeRawBufferPointer(rebasing: value[unit.count...]))
        guard let part = list.next(), list.next() == nil, let dash = part.firstIndex(of: UInt8(ascii: "-")) else {
            return .whole
        }
        let first = UnsafeRawBufferPointer(rebasing: part[..<dash])
        let last = UnsafeRawBufferPointer(rebasing: part[(dash + 1)...])
        if first.isEmpty {
            guard let count = DecimalNumber.parse(last) else { return .whole }
            return count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
        }
        guard let start = DecimalNumber.parse(first) else { return .whole }
        if last.isEmpty { return start < length ? .part(start..<length) : .unsatisfiable }
        guard let end = DecimalNumber.parse(last), end >= start else { return .whole }
        return start < length ? .part(start..<min(end, length - 1) + 1) : .unsatisfiable
    }
}
