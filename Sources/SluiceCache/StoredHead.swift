public import SluiceHTTP

/// The head of a response as it is stored: everything that the decisions and the next answer need, before the body is
/// there.
public struct StoredHead: Sendable {
    public var status: Int
    /// Field lines as HTTP/1.1 writes them, without what frames the message, `Age` and this cache's `Cache-Status`.
    public var lines: [UInt8] = []
    public var freshness: Freshness
    /// `corrected_initial_age`, seconds.
    public var initialAge: Int
    /// Nanoseconds of the monotonic clock when the response arrived.
    public var responseTime: UInt64
    /// The validators for asking the upstream later: its own, even if a slice has others.
    public var validatorETag: [UInt8]?
    public var validatorLastModified: [UInt8]?
    public var dependencies: [Epochs.Dependency] = []
    public var label = EntryLabel()

    public init(status: Int, freshness: Freshness, initialAge: Int, responseTime: UInt64) {
        self.status = status
        self.freshness = freshness
        self.initialAge = initialAge
        self.responseTime = responseTime
    }

    /// The answer contains another response, too, which arrives now: it is no fresher than either.
    /// - Parameters:
    ///   - other: freshness of the other response.
    ///   - otherAge: its `corrected_initial_age`, seconds.
    ///   - groups: its `Cache-Groups`.
    ///   - now: nanoseconds of the monotonic clock.
    public mutating func restrict(
        by other: Freshness, initialAge otherAge: Int, _ groups: [[UInt8]], now: UInt64
    ) {
        freshness.limit(to: other.secondsLeft(at: otherAge), at: age(now))
        freshness.noCache = freshness.noCache || other.noCache
        freshness.mustRevalidate = freshness.mustRevalidate || other.mustRevalidate
        freshness.staleWhileRevalidate = min(freshness.staleWhileRevalidate, other.staleWhileRevalidate)
        freshness.staleIfError = min(freshness.staleIfError, other.staleIfError)
        for group in groups where !label.groups.contains(group) { label.groups.append(group) }
    }

    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        lines.append(contentsOf: name)
        lines.append(UInt8(ascii: ":"))
        lines.append(0x20)
        lines.append(contentsOf: value)
        lines.append(0x0d)
        lines.append(0x0a)
    }

    public mutating func append(_ id: FieldID, _ value: [UInt8]) {
        value.withUnsafeBytes { append(name: id.nameBytes, value: $0) }
    }

    /// Positions of the colon and the end of the first line; nil where there is none.
    private static func line(_ rest: UnsafeRawBufferPointer) -> (colon: Int, end: Int)? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), let end = rest.firstIndex(of: 0x0d),
            colon + 2 <= end, end + 2 <= rest.count
        else { return nil }
        return (colon, end)
    }

    /// Whether `lines` are as ``append(name:value:)`` writes them (RFC 9112 §5), without fields that each answer sets
    /// anew: framing, fields for one hop (RFC 9110 §7.6.1), and `Age`. Clients get the lines unchanged.
    static func areSound(_ lines: UnsafeRawBufferPointer) -> Bool {
        var rest = lines
        while rest.count > 0 {
            guard let (colon, end) = line(rest), rest[colon + 1] == 0x20, rest[end + 1] == 0x0a else { return false }
            let name = UnsafeRawBufferPointer(rebasing: rest[..<colon])
            guard name.count <= HeaderBlock.nameBytesMax, FieldValue.isToken(name), !FieldID(name: name).isOwnToAnswer,
                isValue(UnsafeRawBufferPointer(rebasing: rest[(colon + 2)..<end]))
            else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 2)...])
        }
        return true
    }

    /// Whether it may stand in a field line (RFC 9110 §5.5); blanks at its ends are none of it.
    static func isValue(_ value: UnsafeRawBufferPointer) -> Bool { FieldValue.isValid(value.trimmed) }

    /// The lines as a block, for answers that change them.
    public static func read(_ lines: UnsafeRawBufferPointer, into fields: inout HeaderBlock) {
        var rest = lines
        while let (colon, end) = line(rest) {
            fields.append(
                name: UnsafeRawBufferPointer(rebasing: rest[..<colon]),
                value: UnsafeRawBufferPointer(rebasing: rest[(colon + 2)..<end]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 2)...])
        }
    }

    /// The value of the first line with this name.
    static func value(of id: FieldID, in lines: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let name = id.nameBytes
        var rest = lines
        while let (colon, end) = line(rest) {
            if colon == name.count, zip(rest, name).allSatisfy({ $0.inLowerCase == $1.inLowerCase }) {
                return UnsafeRawBufferPointer(rebasing: rest[(colon + 2)..<end])
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 2)...])
        }
        return nil
    }

    /// Seconds since the upstream made the response (RFC 9111 §4.2.3).
    public func age(_ now: UInt64) -> Int { Self.age(initialAge, since: responseTime, now) }

    /// The age of a response that had `initialAge` seconds when it was received.
    static func age(_ initialAge: Int, since responseTime: UInt64, _ now: UInt64) -> Int {
        initialAge + Int((now &- min(responseTime, now)) / 1_000_000_000)
    }
}

extension FieldID {
    fileprivate var nameBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: canonicalName.utf8Start, count: canonicalName.utf8CodeUnitCount)
    }

    /// Whether each answer sets the field anew, so that it is not stored. `Trailer` is end-to-end and is stored.
    fileprivate var isOwnToAnswer: Bool {
        switch self {
        case .contentLength, .transferEncoding, .connection, .keepAlive, .proxyConnection, .te, .upgrade,
            .http2Settings, .age:
            true
        default: false
        }
    }
}
