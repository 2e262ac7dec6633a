/// The admin socket's list of drift findings.
struct DriftList: Decodable {
    var findings: [Finding]
    var more: Int

    struct Finding: Decodable {
        var binding: String
        var path: String
        var kind: String
        var declared: String
        var found: String?
        var example: String?
        var cases: [String]
        var count: Int
        var answers: Int
        var share: Double?
        var firstAt: Int
        var lastAt: Int
        var proposal: String?
    }

    /// For people: by binding, the latest first.
    var text: String {
        if findings.isEmpty { return "nothing has drifted" }
        var lines: [String] = []
        var binding: String?
        for finding in findings.grouped {
            if finding.binding != binding {
                if binding != nil { lines.append("") }
                lines.append(Style.output.bold(finding.binding))
                binding = finding.binding
            }
            lines += finding.lines
        }
        if more > 0 { lines.append("\n\(more) more are not shown") }
        return lines.joined(separator: "\n")
    }
}

extension [DriftList.Finding] {
    /// All of a binding together, in the order in which bindings come first.
    fileprivate var grouped: [DriftList.Finding] {
        var order: [String] = []
        var groups: [String: [DriftList.Finding]] = [:]
        for finding in self {
            if groups[finding.binding] == nil { order.append(finding.binding) }
            groups[finding.binding, default: []].append(finding)
        }
        return order.flatMap { groups[$0] ?? [] }
    }
}

extension DriftList.Finding {
    /// `  $.size  Int, found string "aaa": 12 times in 4 of 100 answers`, and what to do.
    fileprivate var lines: [String] {
        var lines = ["  \(Style.output.yellow(path.printable))  \(what.printable)", "      \(often)"]
        if let proposal = proposal?.printable {
            lines.append("      " + (kind == "new-key" ? "add  \(proposal)" : "write  \(proposal)"))
        }
        return lines
    }

    private var what: String {
        let shown = example.map { " such as \($0)" } ?? ""
        switch kind {
        case "new-key": return "a key that the type does not name"
        case "unknown-case":
            return "not in \(declared)" + (cases.isEmpty ? "" : ": \(cases.joined(separator: ", "))")
        default: return "declared \(declared), found \(found ?? "something else")\(shown)"
        }
    }

    private var often: String {
        let values = Count.words(count, "value")
        let part = share.map { ", \(Int(($0 * 100).rounded())) % of the answers since then" } ?? ""
        return "\(values) since \(UnixTime.text(firstAt)), last \(UnixTime.text(lastAt))\(part)"
    }
}
