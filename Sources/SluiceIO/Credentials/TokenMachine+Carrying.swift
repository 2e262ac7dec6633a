internal import SluiceCredentials

extension TokenMachine.Order {
    /// Whether it is carried out for a credential that a reload has taken away: a renewal under way comes to its end,
    /// and what comes of it is shown to those who began before.
    var outlivesReload: Bool {
        switch self {
        case .lock, .unlock, .save, .ask, .alarm, .note, .show, .withhold: true
        case .forget: false
        }
    }
}

extension TokenMachine.Fact {
    var isAnswer: Bool { if case .answered = self { true } else { false } }

    /// Whether the fact reports the folder's content.
    var isFinding: Bool {
        switch self {
        case .found, .damaged, .locked: true
        default: false
        }
    }
}
