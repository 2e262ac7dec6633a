/// A pattern as a nondeterministic automaton (Thompson's construction).
struct PatternAutomaton {
    enum Node {
        case split(Int, Int)
        case one(of: Int, then: Int)
        case start(then: Int)
        case end(then: Int)
        case accept
    }

    static let nodesMost = 5_000

    private(set) var nodes: [Node] = [.accept]
    private(set) var sets: [ScalarSet] = []
    private var setNumbers: [ScalarSet: Int] = [:]
    private(set) var first = 0

    init(_ syntax: PatternSyntax) throws(TextPattern.Malformed) {
        first = try add(syntax, then: 0)
    }

    private mutating func add(_ node: Node) throws(TextPattern.Malformed) -> Int {
        guard nodes.count < Self.nodesMost else { throw .tooLarge }
        nodes.append(node)
        return nodes.count - 1
    }

    /// - Returns: the node that the part begins with.
    private mutating func add(_ syntax: PatternSyntax, then next: Int) throws(TextPattern.Malformed) -> Int {
        switch syntax {
        case .empty: return next
        case .one(let set):
            let number = setNumbers[set] ?? sets.count
            if number == sets.count {
                sets.append(set)
                setNumbers[set] = number
            }
            return try add(.one(of: number, then: next))
        case .sequence(let parts):
            var first = next
            for part in parts.reversed() { first = try add(part, then: first) }
            return first
        case .alternatives(let parts):
            var first: Int?
            for part in parts.reversed() {
                let begun = try add(part, then: next)
                if let others = first { first = try add(.split(begun, others)) } else { first = begun }
            }
            return first ?? next
        case .repeated(let part, let min, let max):
            var first = next
            if let max {
                for _ in min..<max { first = try add(.split(try add(part, then: first), next)) }
            } else {
                let loop = try add(.split(next, next))
                nodes[loop] = .split(try add(part, then: loop), next)
                first = loop
            }
            for _ in 0..<min { first = try add(part, then: first) }
            return first
        case .start: return try add(.start(then: next))
        case .end: return try add(.end(then: next))
        }
    }

    /// All nodes that can be reached without reading a character.
    /// - Parameters:
    ///   - atStart: whether this is the start of the text.
    ///   - atEnd: whether this is the end of the text.
    func closure(of kernel: [Int], atStart: Bool, atEnd: Bool) -> (nodes: [Int], isAccepted: Bool) {
        var seen = Array(repeating: false, count: nodes.count)
        var waiting = kernel
        var reached: [Int] = []
        var isAccepted = false
        while let number = waiting.popLast() {
            if seen[number] { continue }
            seen[number] = true
            switch nodes[number] {
            case .split(let one, let other): waiting += [one, other]
            case .one: reached.append(number)
            case .start(let next): if atStart { waiting.append(next) }
            case .end(let next): if atEnd { waiting.append(next) }
            case .accept: isAccepted = true
            }
        }
        return (reached.sorted(), isAccepted)
    }
}
