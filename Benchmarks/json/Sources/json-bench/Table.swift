/// The results as Markdown, and how they stand to the targets.
final class Table {
    private static let columns = [
        "typed, whole", "typed, 64 KiB", "typed, 4 KiB", "dropping, 64 KiB", "renaming, 64 KiB",
        "skip, whole", "skip, 64 KiB",
        "simdjson DOM", "simdjson On-Demand", "JSONDecoder",
    ]
    private var rows: [(name: String, results: [String: Double])] = []

    func add(_ workload: Workload, _ results: [String: Double]) {
        if rows.isEmpty {
            print("| GB/s | " + Self.columns.joined(separator: " | ") + " |")
            print("|---" + String(repeating: "|---", count: Self.columns.count) + "|")
        }
        rows.append((workload.name, results))
        let cells = Self.columns.map { Self.text(results[$0] ?? 0) }
        print("| \(workload.name) | " + cells.joined(separator: " | ") + " |")
    }

    /// The targets are factors over a peer in the same run.
    func printTargets() {
        if rows.isEmpty { return }
        print("\n| factor | typed 64 KiB over DOM (1.0) | skip 64 KiB over DOM (1.3) | typed over JSONDecoder (20) |")
        print("|---|---|---|---|")
        for row in rows {
            func factor(_ name: String, _ peer: String) -> String {
                Self.text((row.results[name] ?? 0) / (row.results[peer] ?? 1))
            }
            print(
                "| \(row.name) | \(factor("typed, 64 KiB", "simdjson DOM")) | "
                    + "\(factor("skip, 64 KiB", "simdjson DOM")) | \(factor("typed, 64 KiB", "JSONDecoder")) |")
        }
    }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
