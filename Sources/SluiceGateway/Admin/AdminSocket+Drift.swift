internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Lists and forgets the findings of drift.
extension AdminSocket {
    static let driftPath = "/drift"
    /// Findings that are listed at most: the latest.
    private static let findingsMax = 1000

    /// `GET /drift?binding=…`.
    /// - Returns: always true: the request is answered.
    func tellDrift(_ exchange: Exchange) throws(Problem) -> Bool {
        let query = try AdminQuery(exchange.request.head.query, of: Self.driftPath, names: ["binding"])
        let binding = try query.value("binding")
        let registry = corridor.loop.metrics.registry
        let all = registry.drift.all.filter { binding == nil || $0.binding == binding }
            .sorted { $0.finding.lastAt > $1.finding.lastAt }
        if all.isEmpty, let problem = binding.flatMap(noBinding) { throw problem }
        var checked: [String: Int] = [:]
        let list = all.prefix(Self.findingsMax).map { row in
            if checked[row.binding] == nil {
                checked[row.binding] = Int(clamping: registry.checkedAnswers(of: row.binding))
            }
            return Self.json(row, checked: checked[row.binding] ?? 0)
        }
        exchange.answerJSON(.object([("findings", .array(Array(list))), ("more", .number(all.count - list.count))]))
        return true
    }

    private static func json(_ row: DriftLedger.Row, checked: Int) -> JSONValue {
        let finding = row.finding
        let found = finding.found.map(\.rawValue).joined(separator: ", ")
        let share: JSONValue = finding.share(of: checked).map { .verbatim(fraction($0)) } ?? .null
        var members: [(String, JSONValue)] = [
            ("binding", .string(row.binding)), ("path", .string(row.path)), ("declared", .string(finding.declared)),
            ("found", found.isEmpty ? .null : .string(found)), ("count", .number(Int(clamping: finding.count))),
            ("first_at", .number(finding.firstAt)), ("last_at", .number(finding.lastAt)),
        ]
        members += [
            ("kind", .string(finding.kind.rawValue)), ("answers", .number(Int(clamping: finding.answers))),
            ("share", share), ("example", text(finding.example)),
            ("cases", .array(finding.cases.map { .string($0) })), ("proposal", text(finding.proposal)),
        ]
        return .object(members)
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    /// `0.042` of 42 thousandths.
    private static func fraction(_ thousandths: Int) -> String {
        if thousandths >= 1000 { return "1" }
        let digits = String(thousandths)
        return "0." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// `DELETE /drift?binding=…`: forgets findings, once a type has been corrected or the finding is known.
    func forgetDrift(_ exchange: Exchange) throws(Problem) {
        let query = try AdminQuery(exchange.request.head.query, of: Self.driftPath, names: ["binding", "all"])
        let binding = try query.value("binding")
        let isAll = try query.flag("all")
        // Exactly one is required, so that a forgotten parameter does not mean everything.
        guard isAll != (binding != nil) else {
            throw AdminQuery.wrong(
                "all", expected: "one of all and binding: what is to be forgotten", found: isAll ? "both" : "none")
        }
        let count = corridor.loop.metrics.registry.drift.forget(binding)
        if count == 0, let problem = binding.flatMap(noBinding) { throw problem }
        exchange.answerJSON(.object([("forgotten", .number(count))]))
    }
}
