internal import SluiceContract
internal import SluiceJSON
internal import Synchronization

/// The last exchanges of all loops (`inspect:`).
public final class InspectionRing: Sendable {
    fileprivate struct State {
        /// Indexed by number modulo count; nil where nothing was stored yet.
        var places: [Inspection?] = []
        /// The number of the next exchange.
        var number = 1
    }

    private let state = Mutex(State())
    /// Milliseconds since 1970.
    let clock: @Sendable () -> Int64
    /// Counts the exchanges in progress.
    let count = InspectionCount()

    /// - Parameter clock: milliseconds since 1970.
    public init(clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
    }

    /// Sets how many exchanges are kept; present ones stay as far as they fit. 0 switches inspection off and forgets
    /// all.
    func resize(to count: Int) {
        state.withLock { state in
            guard count != state.places.count else { return }
            var places = [Inspection?](repeating: nil, count: count)
            for number in state.numbers.suffix(count) { places[number % count] = state[number] }
            state.places = places
        }
    }

    func add(_ inspection: Inspection) {
        state.withLock { state in
            guard !state.places.isEmpty else { return }
            state.places[state.number % state.places.count] = inspection
            state.number += 1
        }
    }

    /// `GET /exchanges`, newest first.
    var list: JSONValue {
        let (last, found) = state.withLock { state in
            (state.places.count, state.numbers.reversed().compactMap { number in state[number].map { (number, $0) } })
        }
        if last == 0 { return .object([("on", .bool(false))]) }
        return .object([
            ("on", .bool(true)), ("last", .number(last)),
            ("exchanges", .array(found.map { $0.1.listing($0.0) })),
        ])
    }

    /// One exchange; nil where it is not kept any more.
    func details(_ number: Int) -> JSONValue? {
        let inspection = state.withLock { $0.numbers.contains(number) ? $0[number] : nil }
        return inspection.map { $0.details(number) }
    }
}

extension InspectionRing.State {
    /// The numbers of the exchanges that are kept.
    fileprivate var numbers: Range<Int> { max(1, number - places.count)..<number }

    fileprivate subscript(number: Int) -> Inspection? { places[number % places.count] }
}
