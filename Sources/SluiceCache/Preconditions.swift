public import SluiceHTTP

/// A client's conditional request, decided on what is stored (RFC 9110 §13, RFC 9111 §4.3.2).
public enum Preconditions {
    public enum Verdict: Equatable, Sendable {
        case proceed
        /// 304.
        case notModified
        /// 412.
        case failed
    }

    /// The stored response's fields that the conditions are compared with.
    public struct Validators {
        public var etag: UnsafeRawBufferPointer?
        public var lastModified: UnsafeRawBufferPointer?

        /// Takes the place of `Last-Modified` where the client only asks what has changed since (RFC 9111 §4.3.2).
        public var date: UnsafeRawBufferPointer?

        public init(_ fields: borrowing HeaderBlock) {
            etag = fields.firstIndex(of: .etag).map { fields.value($0) }
            lastModified = fields.firstIndex(of: .lastModified).map { fields.value($0) }
            date = fields.firstIndex(of: .date).map { fields.value($0) }
        }
    }

    /// For a GET or HEAD whose answer would be a 200, in the order of RFC 9110 §13.2.2.
    /// - Parameter now: Unix seconds.
    public static func evaluate(
        _ request: borrowing HeaderBlock, _ stored: Validators, now: Int
    ) -> Verdict {
        if has(.ifMatch, request) {
            if !matches(.ifMatch, request, stored.etag, isStrong: true) { return .failed }
        } else if let index = request.firstIndex(of: .ifUnmodifiedSince),
            let limit = HTTPDate.parse(request.value(index), now: now),
            let modified = stored.lastModified.flatMap({ HTTPDate.parse($0, now: now) }), modified > limit
        {
            return .failed
        }
        if has(.ifNoneMatch, request) {
            return matches(.ifNoneMatch, request, stored.etag, isStrong: false) ? .notModified : .proceed
        }
        if let index = request.firstIndex(of: .ifModifiedSince),
            let since = HTTPDate.parse(request.value(index), now: now),
            let modified = (stored.lastModified ?? stored.date).flatMap({ HTTPDate.parse($0, now: now) }),
            modified <= since
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether `Range` applies (RFC 9110 §13.1.5): without `If-Range`, or where its validator is this very one.
    public static func rangeApplies(_ request: borrowing HeaderBlock, _ stored: Validators, now: Int) -> Bool {
        guard let index = request.firstIndex(of: .ifRange) else { return true }
        let value = request.value(index)
        if value.prefix(3).contains(UInt8(ascii: "\"")) {
            guard let etag = stored.etag, !isWeak(etag) else { return false }
            return value.elementsEqual(etag)
        }
        guard let modified = stored.lastModified, value.elementsEqual(modified) else { return false }
        // A second earlier than the response: else it may have changed within that second (RFC 9110 §8.8.2.2).
        guard let made = stored.date.flatMap({ HTTPDate.parse($0, now: now) }),
            let changed = HTTPDate.parse(modified, now: now)
        else { return false }
        return changed < made
    }

    private static func has(_ id: FieldID, _ request: borrowing HeaderBlock) -> Bool {
        request.firstIndex(of: id) != nil
    }

    private static func matches(
        _ id: FieldID, _ request: borrowing HeaderBlock, _ etag: UnsafeRawBufferPointer?, isStrong: Bool
    ) -> Bool {
        for index in 0..<request.count where request[index].id == id {
            var list = ListIterator(request.value(index), honoursQuotes: true)
            while let tag = list.next() {
                if tag.count == 1, tag[0] == UInt8(ascii: "*") { return true }
                guard let etag else { continue }
                if isStrong ? !isWeak(tag) && tag.elementsEqual(etag) : opaque(tag).elementsEqual(opaque(etag)) {
                    return true
                }
            }
        }
        return false
    }

    /// Weak comparison (RFC 9110 §8.8.3.2).
    public static func isSame(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        opaque(first).elementsEqual(opaque(second))
    }

    public static func isWeak(_ tag: UnsafeRawBufferPointer) -> Bool {
        tag.count >= 2 && tag[0] == UInt8(ascii: "W") && tag[1] == UInt8(ascii: "/")
    }

    /// Without its weakness (RFC 9110 §8.8.3.2).
    private static func opaque(_ tag: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        isWeak(tag) ? UnsafeRawBufferPointer(rebasing: tag[2...]) : tag
    }
}
