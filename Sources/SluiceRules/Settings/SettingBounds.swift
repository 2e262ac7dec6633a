/// Which values of simple kinds work.
enum SettingBounds {
    static func check(_ value: SettingValue?, _ kind: SettingKind, _ scope: @autoclosure () -> Scope) {
        switch (kind, value) {
        case (.size(let range), .number(let bytes)) where !range.contains(bytes):
            scope().mistake(
                "\(Quantity.text(bytes: bytes)) is out of range", at: .value,
                expected: "a size from \(Quantity.text(bytes: range.lowerBound)) to "
                    + Quantity.text(bytes: range.upperBound))
        case (.count(let range), .number(let number)) where !range.contains(number):
            scope().mistake("\(number) is out of range", at: .value, expected: Quantity.expected(range))
        case (.percent(let range), .number(let percent)) where !range.contains(percent):
            scope().mistake(
                "the text '\(percent)%' where a share is wanted", at: .value,
                expected: Quantity.expectedPercent(range))
        case (.duration(let range), .duration(let duration)) where !range.contains(duration):
            if range.lowerBound > .zero, duration == .zero {
                scope().mistake("a wait of nothing never succeeds", at: .value, expected: "more than 0")
                return
            }
            scope().mistake(
                "\(Quantity.text(duration)) is out of range", at: .value,
                expected: "a duration from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound))")
        default: break
        }
    }
}
