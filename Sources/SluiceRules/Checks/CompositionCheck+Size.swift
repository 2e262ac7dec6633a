internal import SluiceContract

/// Without a `value:` the whole is written out from the types of its parts: it grows with each binding made of others.
extension CompositionCheck {
    /// Whether the values of all parts together make a type that is small enough; else that is told.
    func checkSize() -> Bool {
        var size = TypeSize()
        for target in targets.compactMap(\.self) {
            guard let value = bindings[target.binding].value else { continue }
            size.add(value, depth: 1)
        }
        if !size.isTooLarge, !size.isTooDeep { return true }
        (scope / "parts").mistake(
            size.isTooDeep
                ? "the values of its parts make a type that is more than \(TypeSize.depthMost) levels deep"
                : "the values of its parts make a type of more than \(TypeSize.countMost) parts",
            expected: "a 'value:' beside 'parts:'")
        return false
    }
}
