internal import SluiceCredentials

extension TokenMachine.Order {
    /// Whether the order is carried out although a reload has removed the credential: a renewal in progress is
    /// finished, and its tokens are shown to requests that began before.
    var outlivesReload: Bool {
        switch self {
        case .lock, .unlock, .save, .ask, .alarm, .note, .show, .noOther, .withhold: true
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
