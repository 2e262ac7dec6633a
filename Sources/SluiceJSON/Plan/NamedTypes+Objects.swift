import SluiceContract

extension NamedTypes {
    /// Whether values of this type are objects; a name may stand for such a type.
    func isObject(_ type: TypeExpression) -> Bool {
        switch resolved(type) {
        case .object, .dictionary: true
        default: false
        }
    }
}
