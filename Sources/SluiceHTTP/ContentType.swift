/// A media type (RFC 9110 §8.3.1), as far as Sluice distinguishes them.
public struct ContentType {
    /// `application/json`, without parameters.
    public let mediaType: UnsafeRawBufferPointer
    /// The value of the `charset` parameter, without quotes; nil where there is none.
    public let charset: UnsafeRawBufferPointer?

    /// Whether `charset` occurs more than once with different values: recipients may then read different ones.
    public let isAmbiguous: Bool

    /// nil where `value` is not a media type.
    public init?(_ value: UnsafeRawBufferPointer) {
        let end = value.place(of: UInt8(ascii: ";"))
        let mediaType = value.part(0, end).trimmed
        guard let slash = mediaType.firstIndex(of: UInt8(ascii: "/")),
            mediaType.part(0, slash).consists(of: .token),
            mediaType.part(slash + 1, mediaType.count).consists(of: .token)
        else { return nil }
        self.mediaType = mediaType
        var charset: UnsafeRawBufferPointer?
        var isAmbiguous = false
        var parameters = ParameterIterator(value.part(end, value.count))
        while let parameter = parameters.next() {
            guard parameter.name.equalsIgnoringCase("charset") else { continue }
            if let charset {
                if !charset.equalsIgnoringCase(parameter.value) { isAmbiguous = true }
            } else {
                charset = parameter.value
            }
        }
        self.charset = charset
        self.isAmbiguous = isAmbiguous
    }

    public var isJSON: Bool {
        mediaType.equalsIgnoringCase("application/json") || hasSuffix("+json")
            || mediaType.equalsIgnoringCase("text/json")
    }

    public var isForm: Bool { mediaType.equalsIgnoringCase("application/x-www-form-urlencoded") }

    public var isText: Bool { hasPrefix("text/") }

    /// Server-sent events (WHATWG HTML §9.2).
    public var isEventStream: Bool { mediaType.equalsIgnoringCase("text/event-stream") }

    /// Whether the charset is absent, UTF-8 or its subset US-ASCII.
    public var isUTF8: Bool {
        if isAmbiguous { return false }
        guard let charset else { return true }
        return charset.equalsIgnoringCase("utf-8") || charset.equalsIgnoringCase("utf8")
            || charset.equalsIgnoringCase("us-ascii")
    }

    private func hasPrefix(_ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        return mediaType.count > count && mediaType.part(0, count).equalsIgnoringCase(prefix)
    }

    private func hasSuffix(_ suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        return mediaType.count > count
            && mediaType.part(mediaType.count - count, mediaType.count).equalsIgnoringCase(suffix)
    }
}
