/// Why a text is no address of a gateway.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, and what to write instead.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
