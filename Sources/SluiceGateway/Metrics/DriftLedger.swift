internal import SluiceContract
internal import Synchronization

/// Where answers have drifted from their types, by binding and JSON path, over all loops. It has a lock: a type fault
/// is rare, and costs a message to its client as well.
final class DriftLedger: Sendable {
    /// Paths of one binding; those beyond share one.
    static let pathsMax = 32
    static let bindingsMax = MetricsRegistry.bindingsMax
    static let other = "(other)"
    /// A longer path is cut: it is a key of somebody's data.
    private static let pathBytesMax = 200

    private let findings = Mutex<[String: [String: DriftFinding]]>([:])

    /// - Parameter time: seconds since 1970.
    func note(_ faults: [Problem.Fault], of binding: String, at time: Int) {
        if faults.isEmpty { return }
        findings.withLock { findings in
            let name = findings[binding] != nil || findings.count < Self.bindingsMax ? binding : Self.other
            for fault in faults {
                let path = Self.path(of: fault)
                let known = findings[name]?[path] != nil
                let hasRoom = (findings[name]?.count ?? 0) < Self.pathsMax
                let place = known || hasRoom ? path : Self.other
                findings[name, default: [:]][place, default: DriftFinding()].note(fault, at: time)
            }
        }
    }

    /// In a stable order.
    var all: [(binding: String, path: String, finding: DriftFinding)] {
        let findings = findings.withLock { $0 }
        return findings.sorted { $0.key < $1.key }.flatMap { binding, paths in
            paths.sorted { $0.key < $1.key }.map { (binding, $0.key, $0.value) }
        }
    }

    /// Where a key is missing, that is its place, and not the object around it.
    private static func path(of fault: Problem.Fault) -> String {
        let path = path(fault.name)
        guard let key = DriftFinding.missingKey(fault)?.key else { return path }
        return Self.path("\(path).\(key)")
    }

    /// Without positions in arrays: `$.values[3].size` is one of `$.values[].size`.
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
