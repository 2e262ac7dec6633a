public import SluiceContract

extension DriftPolicy: Layered {
    public static let usual = DriftPolicy()

    public static let settings: [Setting<DriftPolicy>] = [
        .words("notice", \.notice, "New keys of objects, and strings that an open set does not have yet"),
        .wait("every", \.every, "The time between two answers that are looked at"),
    ]

    public func check(_ layer: Layer<DriftPolicy>, _ scope: Scope) {
        guard layer.tells("notice") else { return }
        if notice.isEmpty {
            (scope / "notice").mistake(
                "nothing is to be noticed", at: .value, expected: "new-keys, unknown-cases, or drift: false")
        }
        if Set(notice).count < notice.count {
            (scope / "notice").mistake("a word stands twice", at: .value, expected: "each once")
        }
    }
}
