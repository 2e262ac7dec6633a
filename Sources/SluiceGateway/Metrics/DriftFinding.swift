internal import SluiceContract

/// One place at which answers do not match their type, and the smallest change of that type that would accept them.
/// Only the kind and the shape of values are kept: values are private data.
struct DriftFinding {
    /// What was found at the place.
    enum Kind: String, CaseIterable {
        /// A value does not match its type.
        case fault
        /// An object has a key that its type does not declare (`drift:`).
        case newKey = "new-key"
        /// A string is not among those that an open set lists (`drift:`).
        case unknownCase = "unknown-case"
    }

    /// The kind of the value that was found, or nothing.
    enum Found: String, CaseIterable {
        case nothing, null, bool, integer, number
        /// A whole number beyond `Int`, or one beyond `Double`.
        case large = "large-number"
        case string, array, object

        init?(_ fault: Problem.Fault) {
            if DriftFinding.missingKey(fault) != nil {
                self = .nothing
                return
            }
            // The kind is the first word.
            let words = fault.found.split(separator: " ", maxSplits: 1)
            // An element that is there again is of its type; its array is not.
            if fault.found.hasSuffix(DriftFinding.again), words.first != "the" {
                self = .array
                return
            }
            guard let word = words.first, let kind = Found(rawValue: String(word)), kind != .nothing, kind != .integer
            else { return nil }
            self = kind == .number && words.count > 1 ? Found(number: words[1]) : kind
        }

        private init(number text: Substring) {
            // Of a long number the beginning is told.
            let digits = text.hasSuffix("…") ? text.dropLast() : text
            if digits.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }) {
                self = Int64(digits) == nil ? .large : .integer
            } else {
                self = Double(digits)?.isFinite == true ? .number : .large
            }
        }
    }

    /// Stands behind an element that its array has twice.
    private static let again = " again"
    private static let declaredBytesMax = 200
    /// How many new cases are listed.
    private static let casesMax = 8
    private static let caseBytesMax = 40

    let kind: Kind
    /// The declared type; where no type is concerned, such as for an undeclared key, what was expected.
    private(set) var declared = ""
    /// In the order of first appearance.
    private(set) var found: [Found] = []
    /// How the last value was written (``DriftExample``).
    private(set) var example: String?
    /// New cases of an open set, where they look like names of cases.
    private(set) var cases: [String] = []
    private(set) var count: UInt64 = 0
    /// The number of answers with the finding.
    private(set) var answers: UInt64 = 0
    /// How many answers of the binding had been checked before the first finding; negative where that was before a
    /// restart.
    private(set) var checkedBefore = 0
    /// Seconds since 1970.
    private(set) var firstAt = 0
    private(set) var lastAt = 0

    init(_ kind: Kind = .fault, checkedBefore: Int = 0) {
        self.kind = kind
        self.checkedBefore = checkedBefore
    }

    /// Counts one more answer with the finding.
    mutating func noteAnswer() { answers += 1 }

    /// The share of answers with the finding, in thousandths, among those checked since the first one; nil where
    /// answers are only checked from time to time.
    /// - Parameter checked: how many answers of the binding have been checked so far.
    func share(of checked: Int) -> Int? {
        guard kind == .fault else { return nil }
        let all = max(checked - checkedBefore, Int(clamping: answers), 1)
        return (Int(clamping: answers) * 1000 + all / 2) / all
    }

    /// Notes one more occurrence, at a time in seconds since 1970.
    mutating func note(_ fault: Problem.Fault, at time: Int) {
        count += 1
        if count == 1 { firstAt = time }
        lastAt = max(lastAt, time)
        let value = fault.found.hasSuffix(Self.again) ? String(fault.found.dropLast(Self.again.count)) : fault.found
        if let shape = DriftExample.text(of: value, at: fault.name) { example = shape }
        let expected = Self.missingKey(fault)?.type ?? fault.expected
        let shown = expected.utf8.count > Self.declaredBytesMax ? Self.cut(expected) : expected
        if declared != shown {
            // The configuration was replaced.
            declared = shown
            (found, cases) = ([], [])
        }
        if kind == .newKey { key = Self.lastKey(of: fault.name) }
        if kind == .unknownCase { noteCase(fault) }
        if let kind = Found(fault), !found.contains(kind) { found.append(kind) }
    }

    /// The beginning of a type, which does not end as a set does that may grow.
    private static func cut(_ type: String) -> String {
        var beginning = type.prefix(declaredBytesMax / 4)
        while beginning.last == " " || beginning.last == "|" { beginning.removeLast() }
        return String(beginning) + "…"
    }

    /// Whether only the beginning of the type is known.
    var isCut: Bool { declared.hasSuffix("…") && !declared.hasSuffix("| …") }

    /// The new key.
    private(set) var key: String?

    /// `color` of `$.values[0].color`; nil where the key is written in quotes.
    private static func lastKey(of path: String) -> String? {
        guard let dot = path.lastIndex(of: "."), path.last != "]" else { return nil }
        return String(path[path.index(after: dot)...])
    }

    /// Keeps the case if it looks like a name; any other text may be private.
    private mutating func noteCase(_ fault: Problem.Fault) {
        guard let text = fault.found.split(separator: " ", maxSplits: 1).last, text.utf8.count <= Self.caseBytesMax,
            text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 2, !DriftExample.isSensitive(fault.name)
        else { return }
        let name = text.dropFirst().dropLast()
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }),
            name.contains(where: \.isLetter), !cases.contains(String(name)), cases.count < Self.casesMax
        else { return }
        cases.append(String(name))
    }

    /// The missing key of an object, and its type: `"size": Int` is expected.
    static func missingKey(_ fault: Problem.Fault) -> (key: String, type: String)? {
        guard fault.reason == .missing, fault.expected.hasPrefix("\""),
            let end = fault.expected.firstRange(of: "\": ")
        else { return nil }
        let key = fault.expected[..<end.lowerBound].dropFirst()
        return (String(key), String(fault.expected[end.upperBound...]))
    }
}

// MARK: - Over restarts

extension DriftFinding {
    func record(_ binding: String, _ path: String, checked: Int) -> DriftRecord {
        var record = DriftRecord(binding: binding, path: path, kind: kind.rawValue, declared: declared)
        (record.found, record.example, record.cases) = (found.map(\.rawValue), example, cases)
        (record.count, record.answers) = (Int(clamping: count), Int(clamping: answers))
        (record.firstAt, record.lastAt) = (firstAt, lastAt)
        record.checked = max(0, checked - checkedBefore)
        return record
    }

    /// Far more than a daemon can count in its life, and far below an overflow of sums.
    private static let countMax = 1 << 48
    private static let recordBytesMax = 4096

    /// - Returns: nil where the record is not valid.
    init?(_ record: DriftRecord, checked: Int) {
        // Impossible counts are not used.
        guard let kind = Kind(rawValue: record.kind), (1...Self.countMax).contains(record.count),
            (0...Self.countMax).contains(record.answers), (0...Self.countMax).contains(record.checked),
            record.declared.utf8.count <= Self.recordBytesMax, record.example?.utf8.count ?? 0 <= Self.recordBytesMax
        else { return nil }
        self.init(kind, checkedBefore: checked - record.checked)
        declared = record.declared
        found = record.found.compactMap { Found(rawValue: $0) }
        example = record.example
        cases = Array(record.cases.prefix(Self.casesMax))
        (count, answers) = (UInt64(record.count), UInt64(record.answers))
        (firstAt, lastAt) = (record.firstAt, record.lastAt)
        key = kind == .newKey ? Self.lastKey(of: record.path) : nil
    }
}
