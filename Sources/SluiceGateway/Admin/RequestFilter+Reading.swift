internal import SluiceContract
internal import SluiceHTTP

extension RequestFilter {
    static let names = ["match", "binding", "problem", "slow", "status"]
    /// An hour: nobody waits for a request that takes longer.
    private static let millisecondsMax = 3_600_000

    /// Reads the filter from the query of `GET /requests`.
    /// - Throws: what is wrong with it.
    init(_ text: UnsafeRawBufferPointer) throws(Problem) {
        let query = try AdminQuery(text, of: "/requests", names: Self.names)
        beginning = try query.value("match")
        binding = try query.value("binding")
        problem = try Self.problem(query)
        let milliseconds = try query.number("slow", in: 0...Self.millisecondsMax, default: 0)
        nanosecondsMin = UInt64(milliseconds) * 1_000_000
        if let text = try query.value("status") { status = try Self.status(text) }
    }

    private static func problem(_ query: AdminQuery) throws(Problem) -> ProblemChoice? {
        switch try query.value("problem") {
        case nil, "false"?: return nil
        case ""?, "true"?: return .any
        case let text?:
            if let kind = Problem.Kind(rawValue: text) { return .kind(kind) }
            let near = Nearest.name(to: text, among: Problem.Kind.allCases.map(\.rawValue))
            throw AdminQuery.wrong(
                "problem", expected: "true, or a kind such as \(near ?? Problem.Kind.typeMismatch.rawValue)",
                found: "'\(text)'")
        }
    }

    /// `404`, or `4xx`.
    private static func status(_ text: String) throws(Problem) -> ClosedRange<Int> {
        if let status = Int(text), (100...599).contains(status) { return status...status }
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let digit = text.first?.wholeNumberValue,
            (1...5).contains(digit)
        {
            return digit * 100...digit * 100 + 99
        }
        throw AdminQuery.wrong("status", expected: "a status such as 404, or a class such as 5xx", found: "'\(text)'")
    }
}
