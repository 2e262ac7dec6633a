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

    private let counts = Mutex<[String: [String: UInt64]]>([:])

    func note(_ faults: [Problem.Fault], of binding: String) {
        if faults.isEmpty { return }
        counts.withLock { counts in
            let name = counts[binding] != nil || counts.count < Self.bindingsMax ? binding : Self.other
            for fault in faults {
                let path = Self.path(fault.name)
                let known = counts[name]?[path] != nil
                let hasRoom = (counts[name]?.count ?? 0) < Self.pathsMax
                counts[name, default: [:]][known || hasRoom ? path : Self.other, default: 0] += 1
            }
        }
    }

    /// In a stable order.
    var all: [(binding: String, path: String, count: UInt64)] {
        let counts = counts.withLock { $0 }
        return counts.sorted { $0.key < $1.key }.flatMap { binding, paths in
            paths.sorted { $0.key < $1.key }.map { (binding, $0.key, $0.value) }
        }
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
