extension String {
    /// Lends the text in UTF-8.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(utf8).withUnsafeBytes { body($0) }
    }
}
