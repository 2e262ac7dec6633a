extension String {
    /// The text as one segment of a path, whatever it has inside: a `/` is `%2F` (RFC 3986 §3.3). An empty text and the
    /// dot segments `.` and `..` have no such form: look for them before where a text comes from elsewhere.
    public var encodedSegment: String { PercentText.encoded(self) }
}
