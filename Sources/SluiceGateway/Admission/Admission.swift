/// What a request holds on its way to the upstream: a token, and places among the requests in flight.
struct Admission {
    var marks: Marks = []
    var ticket: GateTicket?

    struct Marks: OptionSet {
        let rawValue: UInt8
        /// A token of the upstream's bucket is taken.
        static let token = Marks(rawValue: 2)
        /// Counted among the binding's requests in flight.
        static let binding = Marks(rawValue: 4)
        /// Counted among the upstream's requests in flight.
        static let upstream = Marks(rawValue: 8)
        static let waiting = Marks(rawValue: 16)
    }

    /// Whether there is something to give back.
    var isHolding: Bool { !marks.isDisjoint(with: [.binding, .upstream, .waiting]) }

    /// Ready for the next request.
    mutating func reset() {
        if marks.isEmpty { return }
        self = Admission()
    }
}
