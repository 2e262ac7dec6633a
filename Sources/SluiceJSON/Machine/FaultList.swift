import SluiceContract

/// The faults found in a document.
struct FaultList {
    private(set) var list: [Problem.Fault] = []
    /// For each fault, the slices that fail because of it.
    private(set) var spoilt: [UInt64] = []
    /// Slices that are not of their type.
    private(set) var failed: UInt64 = 0
    /// Whether the document itself is broken.
    private(set) var isSyntax = false
    /// The limit that the document exceeds (`json-depth`).
    private(set) var limit: String?
    /// What types and paths expect, by number.
    private(set) var expectations: [String] = []
    private var reportCount = 0
    /// The number of faults of each slice.
    private var counts: [Int] = []
    private(set) var location = ""

    mutating func adopt(_ plan: Plan) {
        expectations = plan.expectations
        reportCount = plan.reportCount
        counts = Array(repeating: 0, count: plan.extractions.count)
        location = plan.extractions.first?.direction == .toUpstream ? "body" : "response"
    }

    mutating func removeAll() {
        if failed == 0 && !isSyntax { return }
        list.removeAll(keepingCapacity: true)
        spoilt.removeAll(keepingCapacity: true)
        failed = 0
        isSyntax = false
        limit = nil
        for slice in counts.indices { counts[slice] = 0 }
    }

    /// Whether no more type faults of the slice are reported.
    func isFull(_ slice: Int) -> Bool { counts[slice] >= reportCount }

    /// The first type faults of all slices together, at most `reportCount`, and the syntax fault.
    var reported: [Problem.Fault] {
        let typeCount = isSyntax ? list.count - 1 : list.count
        if typeCount <= reportCount { return list }
        return Array(list.prefix(reportCount)) + list.suffix(list.count - typeCount)
    }

    /// Adds a fault of a slice; the same fault of several slices is reported once.
    mutating func add(
        _ slice: Int, _ name: String, _ expected: String, _ found: String, _ offset: Int, hint: String? = nil,
        place: String? = nil, reason: Problem.Fault.Reason = .value
    ) {
        markFailed(slice)
        if isFull(slice) { return }
        let fault = Problem.Fault(
            name: name, location: location, expected: expected, found: found, offset: offset, hint: hint, place: place,
            reason: reason)
        let bit: UInt64 = 1 << UInt64(slice)
        if let known = list.lastIndex(of: fault) {
            if spoilt[known] & bit != 0 { return }
            spoilt[known] |= bit
        } else {
            list.append(fault)
            spoilt.append(bit)
        }
        counts[slice] += 1
    }

    mutating func markFailed(_ slice: Int) {
        failed |= 1 << UInt64(slice)
    }

    /// Adds the syntax fault; all slices fail.
    /// - Parameter limit: the limit that the document exceeds, if that is the fault.
    mutating func addSyntax(_ name: String, _ expected: String, _ found: String, _ offset: Int, beyond limit: String?) {
        isSyntax = true
        self.limit = limit
        failed = ~0
        list.append(
            Problem.Fault(name: name, location: location, expected: expected, found: found, offset: offset))
        spoilt.append(~0)
    }
}
