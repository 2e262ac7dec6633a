import CSIMD

/// Elements of arrays that may be chosen (`[-1]`, `[?…]`): of each array and choice, the bytes of the element that is
/// being read and of the one before it. They are copied only where a chunk ends, up to `limits: json-choice`.
struct CandidateStore {
    /// An element, as far as it has come.
    struct Element {
        /// In the chunk; nil where it has nothing in it.
        var start: BytePointer?
        var count = 0
        /// What came in earlier chunks.
        var earlier = ByteBuffer()
        /// In the document.
        var offset = 0
        var isTooLarge = false
    }

    fileprivate struct State {
        var isOpen = false
        /// Whether an element has been chosen.
        var isFound = false
        var hasKept = false
        var current = Element()
        var kept = Element()
    }

    private var states: UnsafeMutablePointer<State>
    private var count: Int
    private var openCount = 0
    private var bytesMost: Int
    private let kernel: sluice_json_kernel
    private var plan: Plan
    /// Made when they are first needed, of tails and of conditions.
    private var tails: [Extractor?]
    private var conditions: [Extractor?]

    init(_ plan: Plan, _ kernel: sluice_json_kernel) {
        self.plan = plan
        self.kernel = kernel
        bytesMost = plan.limits.choiceBytes
        count = plan.candidateCount
        states = .allocate(capacity: max(count, 1))
        states.initialize(repeating: State(), count: count)
        tails = Array(repeating: nil, count: plan.tails.count)
        conditions = Array(repeating: nil, count: plan.conditions.count)
    }

    mutating func adopt(_ plan: Plan) {
        if count == 0, plan.candidateCount == 0 { return }
        deallocate()
        self = CandidateStore(plan, kernel)
    }

    mutating func reset() {
        if openCount == 0 { return }
        for number in 0..<count { close(number) }
    }

    func deallocate() {
        for number in 0..<count {
            states[number].current.earlier.deallocate()
            states[number].kept.earlier.deallocate()
        }
        states.deallocate()
    }

    /// Whether such an array is open.
    var areOpen: Bool { openCount > 0 }
}

// MARK: Arrays and their elements

extension CandidateStore {
    mutating func begin(_ candidates: TableRange) {
        for number in candidates.indices {
            states[number].isOpen = true
            states[number].isFound = false
            states[number].hasKept = false
            states[number].current.start = nil
            openCount += 1
        }
    }

    func elementBegins(_ candidates: TableRange, _ p: BytePointer, offset: Int) {
        for number in candidates.indices where !states[number].isFound {
            states[number].current.earlier.removeAll()
            states[number].current.start = p
            states[number].current.offset = offset
            states[number].current.isTooLarge = false
        }
    }

    /// The element has ended at `p`: its bytes are whole.
    func elementEnded(_ number: Int, _ p: BytePointer) {
        states[number].take(upTo: p, bytesMost)
    }

    func isFound(_ number: Int) -> Bool { states[number].isFound }

    func found(_ number: Int) { states[number].isFound = true }

    /// The element that has ended may be the last one.
    func keep(_ number: Int) {
        let kept = states[number].kept
        states[number].kept = states[number].current
        states[number].current = kept
        states[number].hasKept = true
    }

    func current(_ number: Int) -> Element { states[number].current }

    /// The last element; nil where there is none.
    func kept(_ number: Int) -> Element? { states[number].hasKept ? states[number].kept : nil }

    mutating func close(_ number: Int) {
        guard states[number].isOpen else { return }
        states[number].isOpen = false
        openCount -= 1
    }

    // MARK: Chunks

    /// A chunk begins.
    func resume(at p: BytePointer) {
        for number in 0..<count where states[number].isOpen && !states[number].isFound {
            states[number].current.start = p
        }
    }

    /// A chunk ends, whose bytes up to `p` have been gone over.
    func save(upTo p: BytePointer) {
        for number in 0..<count where states[number].isOpen && !states[number].isFound {
            if states[number].hasKept { states[number].kept.save() }
            states[number].take(upTo: p, bytesMost)
            states[number].current.save()
        }
    }

    // MARK: What reads them

    mutating func tail(_ number: Int32) -> (extractor: Extractor, plan: Plan) {
        let plan = plan.tails[Int(number)]
        let extractor = tails[Int(number)] ?? Extractor(plan, kernel: kernel)
        tails[Int(number)] = extractor
        return (extractor, plan)
    }

    /// Whether the element is the one that a condition wants.
    mutating func isWanted(_ number: Int32, _ element: Element) -> Bool {
        let condition = plan.conditions[Int(number)]
        guard condition.mayHold(element.bytes) else { return false }
        let extractor = conditions[Int(number)] ?? Extractor(condition.plan, kernel: kernel)
        conditions[Int(number)] = extractor
        return condition.holds(element.bytes, extractor)
    }
}

extension CandidateStore.State {
    /// The bytes up to `p` belong to the element that is being read.
    fileprivate mutating func take(upTo p: BytePointer, _ bytesMost: Int) {
        guard let start = current.start else { return }
        current.count = p - start
        if current.isTooLarge || current.count + current.earlier.count > bytesMost {
            current.isTooLarge = true
            current.earlier.removeAll()
            current.start = nil
        } else if current.earlier.count > 0 {
            current.save()
        }
    }
}

extension CandidateStore.Element {
    /// All of it.
    var bytes: UnsafeRawBufferPointer {
        if let start { return UnsafeRawBufferPointer(start: start, count: count) }
        return UnsafeRawBufferPointer(start: earlier.base, count: earlier.count)
    }

    /// Copies what the chunk has of it.
    fileprivate mutating func save() {
        guard let start else { return }
        earlier.append(start, count)
        self.start = nil
    }
}
