internal import SluiceContract
internal import Synchronization

/// Where answers have drifted from their types, by binding and JSON path, over all loops. A lock is good enough: type
/// faults are rare, and cost a message to the client anyway; other drift is only looked for from time to time.
final class DriftLedger: Sendable {
    /// How many paths a binding may have; further ones share one.
    static let pathsMax = 32
    static let bindingsMax = MetricsRegistry.bindingsMax
    static let other = "(other)"
    /// Longer paths are cut: their keys may be private data.
    private static let pathBytesMax = 200

    /// One finding as it is shown.
    struct Row {
        let binding: String
        let path: String
        let finding: DriftFinding
    }

    fileprivate struct Place: Hashable {
        let path: String
        let kind: DriftFinding.Kind
    }

    fileprivate struct Findings {
        var places: [Place: DriftFinding] = [:]
        /// When the log was last told of the findings, and the number of values since then.
        var toldAt: Int?
        var untold = 0
    }

    private struct State {
        var bindings: [String: Findings] = [:]
        /// Counts the changes.
        var revision = 0
    }

    private let state = Mutex(State())

    /// How many answers of a binding have been checked so far.
    typealias Checked = (String) -> UInt64

    /// Notes the faults of one answer.
    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - kind: the kind of all these faults.
    /// - Returns: what to write to the log; nil where it is too soon for another line.
    @discardableResult
    func note(
        _ faults: [Problem.Fault], of binding: String, at time: Int, as kind: DriftFinding.Kind = .fault,
        checked: Checked = { _ in 0 }
    ) -> DriftNews? {
        guard let first = faults.first else { return nil }
        return state.withLock { state in
            state.revision += 1
            let hasRoom = state.bindings[binding] != nil || state.bindings.count < Self.bindingsMax
            let name = hasRoom ? binding : Self.other
            let hasNew = faults.contains { fault in
                state.bindings[name]?.places[Place(path: Self.path(of: fault, kind), kind: kind)] == nil
            }
            // The present answer has already been counted.
            let before = hasNew ? max(0, Int(clamping: checked(name)) - 1) : 0
            return state.bindings[name, default: Findings()].note(faults, kind, at: time, checkedBefore: before)
                .map { count in
                    DriftNews(
                        binding: name, path: Self.path(of: first, kind), kind: kind.rawValue,
                        declared: String(first.expected.prefix(Self.pathBytesMax)), found: Self.shown(first),
                        count: count)
                }
        }
    }

    /// Kind and shape of what was found.
    private static func shown(_ fault: Problem.Fault) -> String {
        guard let shape = DriftExample.text(of: fault.found, at: fault.name) else {
            return DriftFinding.Found(fault)?.rawValue ?? fault.found
        }
        return String(fault.found.prefix { $0 != " " }) + " " + shape
    }

    /// All findings, in a stable order.
    var all: [Row] {
        let bindings = state.withLock { $0.bindings }
        return bindings.sorted { $0.key < $1.key }.flatMap { binding, findings in
            findings.places.sorted { ($0.key.path, $0.key.kind.rawValue) < ($1.key.path, $1.key.kind.rawValue) }
                .map { Row(binding: binding, path: $0.key.path, finding: $0.value) }
        }
    }

    /// Forgets the findings of one binding, or of all.
    /// - Returns: how many findings there were.
    func forget(_ binding: String?) -> Int {
        state.withLock { state in
            let gone = state.bindings.filter { binding == nil || $0.key == binding }
            for name in gone.keys { state.bindings[name] = nil }
            if !gone.isEmpty { state.revision += 1 }
            return gone.values.reduce(0) { $0 + $1.places.count }
        }
    }

    // MARK: - Over restarts

    /// A number that differs whenever something has changed.
    var revision: Int { state.withLock { $0.revision } }

    func records(checked: Checked) -> [DriftRecord] {
        all.map { $0.finding.record($0.binding, $0.path, checked: Int(clamping: checked($0.binding))) }
    }

    /// Restores stored findings; findings of this process take precedence.
    func restore(_ records: [DriftRecord], checked: Checked) {
        state.withLock { state in
            for record in records {
                guard state.bindings[record.binding] != nil || state.bindings.count < Self.bindingsMax,
                    record.path.utf8.count <= Self.pathBytesMax,
                    let finding = DriftFinding(record, checked: Int(clamping: checked(record.binding)))
                else { continue }
                let place = Place(path: record.path, kind: finding.kind)
                var findings = state.bindings[record.binding, default: Findings()]
                guard findings.places[place] == nil, findings.places.count < Self.pathsMax else { continue }
                findings.places[place] = finding
                state.bindings[record.binding] = findings
            }
        }
    }

    // MARK: - Paths

    /// The path of a fault. For a missing key that is the path of the key, not that of the object around it.
    fileprivate static func path(of fault: Problem.Fault, _ kind: DriftFinding.Kind) -> String {
        let path = path(fault.place ?? fault.name)
        guard kind == .fault, let key = DriftFinding.missingKey(fault)?.key else { return path }
        return Self.path("\(path).\(key)")
    }

    /// A path without array indices: `$.values[3].size` becomes `$.values[].size`.
    static func path(_ text: String) -> String {
        var path = ""
        var digits = ""
        var isIndex = false
        for character in text {
            if isIndex, character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            if isIndex, character != "]" || digits.isEmpty { path += digits }
            isIndex = character == "["
            digits = ""
            path.append(character)
        }
        path += digits
        guard path.utf8.count > pathBytesMax else { return path }
        return String(path.prefix(pathBytesMax / 4)) + "…"
    }
}

extension DriftLedger.Findings {
    /// - Returns: how many values there were since the last line in the log; nil where it is too soon for another.
    fileprivate mutating func note(
        _ faults: [Problem.Fault], _ kind: DriftFinding.Kind, at time: Int, checkedBefore: Int
    ) -> Int? {
        var touched: Set<DriftLedger.Place> = []
        for fault in faults {
            let own = DriftLedger.Place(path: DriftLedger.path(of: fault, kind), kind: kind)
            let hasRoom = places[own] != nil || places.count < DriftLedger.pathsMax
            let place = hasRoom ? own : DriftLedger.Place(path: DriftLedger.other, kind: kind)
            places[place, default: DriftFinding(kind, checkedBefore: checkedBefore)].note(fault, at: time)
            if touched.insert(place).inserted { places[place]?.noteAnswer() }
        }
        untold += faults.count
        if let toldAt, time - toldAt < DriftNews.quietSeconds { return nil }
        defer { untold = 0 }
        toldAt = time
        return untold
    }
}
