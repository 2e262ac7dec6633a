/// Why a store cannot be used: what is wrong, and what helps.
struct StoreFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
