/// How far a part of a composed answer has come.
struct PartState {
    /// Number of parts that have to end before it is requested.
    var waitsFor: Int
    private(set) var phase = Phase.waiting
    /// Values that requests for other parts are made of, by slice.
    var values: [PartValue] = []
    enum Phase {
        case waiting
        /// - Parameter elements: nil where it is one request.
        case asking(Elements?)
        /// It has a value.
        case answered(Answered)
        /// The composed answer does without it.
        case missing
    }

    /// Requests for the elements of a list.
    struct Elements {
        /// How many there are.
        let count: Int
        /// The first element that has not been requested.
        var next = 0
        var underWay = 0
        /// The value of each; nil is null.
        var answers: [[UInt8]?]
    }

    enum Answered {
        case one([UInt8])
        case each([[UInt8]?])
    }

    init(waitsFor: Int) {
        self.waitsFor = waitsFor
    }

    var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    var isMissing: Bool { if case .missing = phase { true } else { false } }

    var isOver: Bool {
        switch phase {
        case .waiting, .asking: false
        case .answered, .missing: true
        }
    }

    mutating func ask(_ elements: Elements?) { phase = .asking(elements) }

    mutating func endElement(_ element: Int, _ json: [UInt8]?) {
        guard case .asking(var elements?) = phase else { return }
        // The only reference to the elements, so that they are changed in place without a copy.
        phase = .asking(nil)
        elements.answers[element] = json
        elements.underWay -= 1
        phase = .asking(elements)
    }

    mutating func end(_ answered: Answered?) { phase = answered.map { Phase.answered($0) } ?? .missing }

    /// Which of its requests are done: the whole part, or those elements of its list that are.
    func done(named name: String) -> [String] {
        func elements(_ answers: [[UInt8]?]) -> [String] {
            answers.indices.filter { answers[$0] != nil }.map { "\(name)[\($0)]" }
        }
        switch phase {
        case .asking(let asked?): return elements(asked.answers)
        case .answered(.each(let answers)) where answers.contains(nil): return elements(answers)
        case .answered(.each([])): return []
        case .answered: return [name]
        case .waiting, .asking(nil), .missing: return []
        }
    }

    var elements: Elements? {
        if case .asking(let elements) = phase { elements } else { nil }
    }

    private static let null = Array("null".utf8)

    /// Its value as JSON.
    var runs: [[UInt8]] {
        switch phase {
        case .waiting, .asking, .missing: return [Self.null]
        case .answered(.one(let json)): return [json]
        case .answered(.each(let answers)):
            var runs: [[UInt8]] = []
            for answer in answers {
                runs.append([UInt8(ascii: runs.isEmpty ? "[" : ",")])
                runs.append(answer ?? Self.null)
            }
            if runs.isEmpty { runs.append([UInt8(ascii: "[")]) }
            return runs + [[UInt8(ascii: "]")]]
        }
    }
}
