internal import SluiceContract
public import SluiceHTTP

/// The fields of a response that caching decisions need, read once when it arrives (RFC 9111 §3, §4.2).
public struct CacheFacts: Sendable {
    public var status: Int
    /// The targeted field where there is a valid one, else `Cache-Control` (RFC 9213 §2.2).
    public var control: CacheControl
    public var isTargeted: Bool
    /// Unix seconds; when the response was received where it has no valid `Date` (RFC 9110 §6.6.1).
    public var date: Int
    public var lastModified: Int?
    /// Unix seconds; `Int.min` for a value that is no date, which means the past (RFC 9111 §5.3).
    public var expires: Int?
    /// Seconds.
    public var age: Int
    public var hasAge: Bool
    public var hasETag: Bool
    public var variesOnAnything = false
    public var hasSetCookie: Bool
    /// `Pragma: no-cache` where there is no `Cache-Control` (RFC 9111 §5.4).
    public var hasPragmaNoCache: Bool

    /// - Parameter now: Unix seconds.
    public init(status: Int, _ fields: borrowing HeaderBlock, now: Int) {
        let targeted = TargetedCacheControl.find(in: fields)
        self.init(
            status: status, fields, control: targeted ?? CacheControl(fields), isTargeted: targeted != nil, now: now)
    }

    /// The facts for this cache, and then for those that read other fields (``TargetedCacheControl/readings(of:)``).
    static func readings(status: Int, _ fields: borrowing HeaderBlock, now: Int) -> [CacheFacts] {
        let controls = TargetedCacheControl.readings(of: fields)
        var readings: [CacheFacts] = []
        for (index, control) in controls.enumerated() {
            let isTargeted = index + 1 < controls.count
            readings.append(CacheFacts(status: status, fields, control: control, isTargeted: isTargeted, now: now))
        }
        return readings
    }

    private init(
        status: Int, _ fields: borrowing HeaderBlock, control: CacheControl, isTargeted: Bool, now: Int
    ) {
        self.status = status
        self.control = control
        self.isTargeted = isTargeted
        date = now
        age = 0
        hasAge = false
        hasETag = false
        hasSetCookie = false
        hasPragmaNoCache = false
        var hasDate = false
        var hasCacheControl = false
        for index in 0..<fields.count {
            let value = fields.value(index)
            switch fields[index].id {
            case .date where !hasDate:
                if let parsed = HTTPDate.parse(value, now: now) { (date, hasDate) = (parsed, true) }
            case .lastModified where lastModified == nil: lastModified = HTTPDate.parse(value, now: now)
            case .expires where !isTargeted:
                // Several different values are unreliable (RFC 9111 §4.2.1).
                let parsed = HTTPDate.parse(value, now: now, ignoringCase: true) ?? .min
                expires = expires == nil || expires == parsed ? parsed : .min
            case .age where !hasAge:
                // The first member of the first line counts; anything but a number is ignored (RFC 9111 §5.1).
                hasAge = true
                var list = ListIterator(value)
                age = list.next().flatMap { CacheControl.age($0) } ?? 0
            case .etag: hasETag = true
            case .setCookie: hasSetCookie = true
            case .cacheControl: hasCacheControl = true
            case .vary:
                var list = ListIterator(value)
                while let name = list.next() {
                    if name.count == 1, name[0] == UInt8(ascii: "*") { variesOnAnything = true }
                }
            default: break
            }
        }
        if !hasCacheControl, !isTargeted, let index = fields.firstIndex(of: .pragma) {
            hasPragmaNoCache = CacheControl(fields.value(index)).flags.contains(.noCache)
        }
    }

    /// Whether the response can be revalidated with a conditional request (RFC 9110 §8.8).
    public var hasValidator: Bool { hasETag || lastModified != nil }
}

extension CacheControl {
    /// The value of `Age`, clamped like any number of seconds (RFC 9111 §1.2.2); nil for anything else.
    package static func age(_ text: UnsafeRawBufferPointer) -> Int? {
        text.first == UInt8(ascii: "\"") ? nil : seconds(text)
    }
}
