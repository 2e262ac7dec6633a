internal import SluiceContract

/// A type as a person reads it in an error message: the notation of the configuration.
enum TypeName {
    static func of(_ type: TypeExpression) -> String { type.description }
}
