internal import SluiceSockets
internal import Glibc

/// How long a loop works on one connection before it turns to the next (a step), and how long its turns are: a
/// histogram that is written to standard error when the loop ends. For finding long waits; measured only if the
/// environment asks (``variable``), because each step costs a clock reading.
final class TurnTimes {
    /// The environment variable that asks for it, whatever its value.
    static let variable = "SLUICE_TURNS"

    static var wished: TurnTimes? { getenv(variable) == nil ? nil : TurnTimes() }

    private var steps = Histogram()
    private var turns = Histogram()
    private var turnBegin: UInt64 = 0
    private var stepBegin: UInt64 = 0

    /// The loop has been woken.
    func turnBegan() {
        turnBegin = MonotonicClock.now()
        stepBegin = turnBegin
    }

    /// One connection has been handled.
    func stepEnded() {
        let now = MonotonicClock.now()
        steps.count(now - stepBegin)
        stepBegin = now
    }

    /// The loop is about to wait.
    func turnEnded() { turns.count(MonotonicClock.now() - turnBegin) }

    /// Writes both histograms.
    func tell() {
        let text = steps.text(of: "steps") + turns.text(of: "turns")
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }

    /// Times by their powers of two in microseconds.
    struct Histogram {
        /// At position n, how many took less than 2 to the power of n microseconds, and not less than half of that.
        private(set) var counts = [Int](repeating: 0, count: 24)
        private(set) var longest: UInt64 = 0

        mutating func count(_ nanoseconds: UInt64) {
            let microseconds = nanoseconds / 1000
            counts[min(UInt64.bitWidth - microseconds.leadingZeroBitCount, counts.count - 1)] += 1
            longest = max(longest, nanoseconds)
        }

        /// A heading, and a line for each bucket that is not empty.
        func text(of what: String) -> String {
            let total = counts.reduce(0, +)
            var text = "\(what) of a loop: \(total), the longest \(longest / 1000) µs\n"
            for (power, count) in counts.enumerated() where count > 0 {
                text += power < counts.count - 1 ? "  < \(1 << power) µs: \(count)\n" : "  more: \(count)\n"
            }
            return text
        }
    }
}
