import CSIMD

/// Array elements that may be chosen (`[-1]`, `[?…]`): for each array and choice, the bytes of the element being read
/// and of the one before it. They are copied only at the end of a chunk, up to `limits: json-choice`.
struct CandidateStore {
    /// The bytes of an element that have been read so far.
    struct Element {
        /// Start of its bytes in this chunk; nil if it has none there.
        var start: BytePointer?
        var count = 0
        /// Its bytes from earlier chunks.
        var earlier = ByteBuffer()
        /// Offset of its first byte in the document.
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
    /// The extractors of tails and conditions, made when first needed.
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

    /// Whether an array with candidates is open.
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

    /// The element has ended at `p`: all of its bytes have been read.
    func elementEnded(_ number: Int, _ p: BytePointer) {
        states[number].take(upTo: p, bytesMost)
    }

    func isFound(_ number: Int) -> Bool { states[number].isFound }

    func found(_ number: Int) { states[number].isFound = true }

    /// Keeps the element that has just ended, because it may be the last one.
    func keep(_ number: Int) {
        let kept = states[number].kept
        states[number].kept = states[number].current
        states[number].current = kept
        states[number].hasKept = true
    }

    func current(_ number: Int) -> Element { states[number].current }

    /// The last element; nil if there is none.
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

    /// A chunk ends, whose bytes up to `p` have been read.
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

    /// Whether a condition holds for the element.
    mutating func isWanted(_ number: Int32, _ element: Element) -> Bool {
        let condition = plan.conditions[Int(number)]
        guard condition.mayHold(element.bytes) else { return false }
        let extractor = conditions[Int(number)] ?? Extractor(condition.plan, kernel: kernel)
        conditions[Int(number)] = extractor
        return condition.holds(element.bytes, extractor)
    }
}

extension CandidateStore.State {
    /// Adds the bytes up to `p` to the element that is being read.
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
    /// All bytes of the element.
    var bytes: UnsafeRawBufferPointer {
        if let start { return UnsafeRawBufferPointer(start: start, count: count) }
        return UnsafeRawBufferPointer(start: earlier.base, count: earlier.count)
    }

    /// Copies the bytes that the element has in this chunk.
    fileprivate mutating func save() {
        guard let start else { return }
        earlier.append(start, count)
        self.start = nil
    }
}
