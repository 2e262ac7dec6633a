internal import SluiceHTTP

/// The fields of an answer that say when the upstream may be asked again.
enum QuotaFields {
    /// - Parameter now: seconds since 1970, for fields that hold a date.
    /// - Returns: seconds to wait, and the status that says why; nil where the answer gives none.
    static func pause(_ response: borrowing ResponseHead, now: Int) -> (seconds: Int, status: Int)? {
        // Some APIs use a 403 for what RFC 6585 §4 defines the 429 for.
        let status = response.status == 403 ? 429 : response.status
        if status == 429 || status == 503, let seconds = retryAfter(response.fields, now: now) {
            return (seconds, status)
        }
        var wait = 0
        for index in 0..<response.fields.count {
            switch response.fields[index].id {
            case .rateLimit: wait = max(wait, exhausted(response.fields.value(index)))
            case .other where isRemaining(response.fields.name(index)):
                guard response.fields.value(index).elementsEqual("0".utf8) else { continue }
                wait = max(wait, reset(response.fields, now: now))
            default: break
            }
        }
        return wait > 0 ? (wait, 429) : nil
    }

    /// RFC 9110 §10.2.3: seconds, or a date.
    static func retryAfter(_ fields: borrowing HeaderBlock, now: Int) -> Int? {
        guard let index = fields.firstIndex(of: .retryAfter) else { return nil }
        if let seconds = DecimalNumber.clamped(fields.value(index)) { return seconds }
        return HTTPDate.parse(fields.value(index), now: now).map { max(0, $0 - now) }
    }

    /// The longest `t` of the policies that are used up (draft-ietf-httpapi-ratelimit-headers §4).
    private static func exhausted(_ value: UnsafeRawBufferPointer) -> Int {
        var longest = 0
        var items = ListIterator(value, honoursQuotes: true)
        while let item = items.next() {
            guard let semicolon = item.firstIndex(of: UInt8(ascii: ";")) else { continue }
            var parameters = ParameterIterator(UnsafeRawBufferPointer(rebasing: item[semicolon...]))
            var left: Int?
            var wait = 0
            while let parameter = parameters.next() {
                if parameter.name.elementsEqual("r".utf8) { left = DecimalNumber.parse(parameter.value) }
                if parameter.name.elementsEqual("t".utf8) { wait = DecimalNumber.clamped(parameter.value) ?? 0 }
            }
            if left == 0 { longest = max(longest, wait) }
        }
        return longest
    }

    // What most APIs send until they follow the draft: `RateLimit-Remaining` and `RateLimit-Reset` of its early
    // versions, or the same with `X-` in front.
    private static let remaining = [Array("ratelimit-remaining".utf8), Array("x-ratelimit-remaining".utf8)]
    private static let resets = [Array("ratelimit-reset".utf8), Array("x-ratelimit-reset".utf8)]

    private static func isRemaining(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count == remaining[0].count && name.equalsIgnoringCase(remaining[0])
            || name.count == remaining[1].count && name.equalsIgnoringCase(remaining[1])
    }

    /// Some APIs count seconds from now, some from 1970.
    private static func reset(_ fields: borrowing HeaderBlock, now: Int) -> Int {
        for name in resets {
            guard let index = name.withUnsafeBytes({ fields.firstIndex(of: $0) }),
                let number = DecimalNumber.clamped(fields.value(index))
            else { continue }
            return number > 1_000_000_000 ? max(0, number - now) : number
        }
        return 0
    }
}
