extension String {
    /// The text as one segment of a path, whatever it has inside: a `/` is `%2F` (RFC 3986 §3.3).
    public var encodedSegment: String { PercentText.encoded(self) }
}
