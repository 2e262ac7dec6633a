/// A regular expression that is matched in one pass over a text, in time linear in the text's length: a deterministic
/// automaton over Unicode scalars, made when the configuration is read.
public struct TextPattern: Sendable {
    /// Why a text is not a pattern, or is one that cannot be matched in one pass.
    public struct Malformed: Error, Hashable, Sendable {
        public var message: String
        public var expected: String

        static let tooLarge = Malformed(
            message: "the pattern takes more than \(TextPattern.statesMost) states",
            expected: "a shorter one: fewer or smaller counts such as {1,100}, '^' in front")
    }

    /// The most states of the automaton, and the most entries of its table, of two bytes each.
    public static let statesMost = 2_000
    private static let entriesMost = 200_000

    /// The first scalar of each class; the pattern does not distinguish the scalars of a class.
    private let boundaries: [UInt32]
    private let asciiClasses: [UInt16]
    private let classCount: Int
    /// The next state, by state and class; 0 leads nowhere.
    private let next: [UInt16]
    /// By state: whether the text matches whatever follows, and whether it does if nothing follows.
    private let matches: [Bool]
    private let matchesAtEnd: [Bool]

    public init(_ text: String) throws(Malformed) {
        let automaton = try PatternAutomaton(try PatternParser.parse(text))
        var starts: Set<UInt32> = [0]
        for range in automaton.sets.flatMap(\.ranges) {
            starts.insert(range.lowerBound)
            if range.upperBound < ScalarSet.last { starts.insert(range.upperBound + 1) }
        }
        let boundaries = starts.sorted()
        self.boundaries = boundaries
        classCount = boundaries.count
        asciiClasses = (0..<128).map { scalar in Self.classNumber(of: scalar, boundaries) }
        var table = StateTable(automaton, boundaries)
        try table.complete(entriesMost: Self.entriesMost)
        next = table.next
        matches = table.matches
        matchesAtEnd = table.matchesAtEnd
    }

    private static func classNumber(of scalar: UInt32, _ boundaries: [UInt32]) -> UInt16 {
        var (low, high) = (0, boundaries.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if boundaries[middle] <= scalar { low = middle } else { high = middle }
        }
        return UInt16(low)
    }

    /// Whether the pattern is found in a text, which is UTF-8.
    public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var state = 1
        var index = 0
        while index < text.count {
            if matches[state] { return true }
            let lead = text[index]
            let number: Int
            if lead < 0x80 {
                number = Int(asciiClasses[Int(lead)])
                index += 1
            } else {
                let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
                var scalar = UInt32(lead) & (0xFF >> UInt32(length + 1))
                for place in index + 1..<min(index + length, text.count) {
                    scalar = scalar << 6 | UInt32(text[place] & 0x3F)
                }
                number = Int(Self.classNumber(of: scalar, boundaries))
                index += length
            }
            state = Int(next[state * classCount + number])
            if state == 0 { return false }
        }
        return matchesAtEnd[state]
    }

    public func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches($0) }
    }
}

/// The subset construction. A match may begin anywhere in the text, so it may begin in every state.
private struct StateTable {
    private let automaton: PatternAutomaton
    private let boundaries: [UInt32]
    /// For each set of the automaton, its classes.
    private let classes: [[Int]]
    private var numbers: [[Int]: Int] = [:]
    private var kernels: [[Int]] = [[], []]
    private(set) var next: [UInt16] = []
    private(set) var matches = [false, false]
    private(set) var matchesAtEnd = [false, false]

    init(_ automaton: PatternAutomaton, _ boundaries: [UInt32]) {
        self.automaton = automaton
        self.boundaries = boundaries
        classes = automaton.sets.map { set in
            boundaries.indices.filter { number in set.ranges.contains { $0.contains(boundaries[number]) } }
        }
    }

    mutating func complete(entriesMost: Int) throws(TextPattern.Malformed) {
        next = Array(repeating: 0, count: boundaries.count)
        var state = 1
        while state < kernels.count {
            guard state <= TextPattern.statesMost, (state + 1) * boundaries.count <= entriesMost else {
                throw .tooLarge
            }
            let kernel = kernels[state] + [automaton.first]
            let isStart = state == 1
            let (nodes, isAccepted) = automaton.closure(of: kernel, atStart: isStart, atEnd: false)
            matches[state] = isAccepted
            matchesAtEnd[state] =
                isAccepted || automaton.closure(of: kernel, atStart: isStart, atEnd: true).isAccepted
            var targets = Array(repeating: Set<Int>(), count: boundaries.count)
            if !isAccepted {
                for number in nodes {
                    guard case .one(let set, let then) = automaton.nodes[number] else { continue }
                    for entry in classes[set] { targets[entry].insert(then) }
                }
            }
            for target in targets { next.append(UInt16(self.state(target.sorted()))) }
            state += 1
        }
    }

    /// Whether a match may begin after the start of the text.
    private lazy var mayBeginLater: Bool = {
        let (nodes, isAccepted) = automaton.closure(of: [automaton.first], atStart: false, atEnd: false)
        return isAccepted || !nodes.isEmpty
            || automaton.closure(of: [automaton.first], atStart: false, atEnd: true).isAccepted
    }()

    private mutating func state(_ kernel: [Int]) -> Int {
        if kernel.isEmpty, !mayBeginLater { return 0 }
        if let number = numbers[kernel] { return number }
        let number = kernels.count
        numbers[kernel] = number
        kernels.append(kernel)
        matches.append(false)
        matchesAtEnd.append(false)
        return number
    }
}
