/// Where a file, or one that it includes, names a binding.
struct BindingPlace: Hashable, Sendable {
    var name: String
    var file: String
    var line: Int
    var column: Int
}

extension Loaded {
    /// A mistake in a binding that shows only once the gateway compiles it, at the binding's key.
    /// - Returns: nil where no file has the key.
    public func mistake(ofBinding name: String, _ message: String) -> Mistake? {
        bindingPlaces.first { $0.name == name }.map {
            Mistake(file: $0.file, line: $0.line, column: $0.column, message: message)
        }
    }
}
