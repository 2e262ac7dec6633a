internal import SluiceContract
internal import SluiceJSON
internal import Synchronization

/// The last exchanges of all loops (`inspect:`).
public final class InspectionRing: Sendable {
    fileprivate struct State {
        /// By number modulo their count; nil are places that have not been used yet.
        var places: [Inspection?] = []
        /// Of the next exchange.
        var number = 1
    }

    private let state = Mutex(State())
    /// Milliseconds since 1970.
    let clock: @Sendable () -> Int64
    /// Of those that are under way.
    let count = InspectionCount()

    /// - Parameter clock: milliseconds since 1970.
    public init(clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
    }

    /// Room for so many from now on; what there is stays as far as it fits. None is off, and forgets everything.
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

    /// One of them; nil where it is there no more.
    func details(_ number: Int) -> JSONValue? {
        let inspection = state.withLock { $0.numbers.contains(number) ? $0[number] : nil }
        return inspection.map { $0.details(number) }
    }
}

extension InspectionRing.State {
    /// Of those that there is a place for.
    fileprivate var numbers: Range<Int> { max(1, number - places.count)..<number }

    fileprivate subscript(number: Int) -> Inspection? { places[number % places.count] }
}
