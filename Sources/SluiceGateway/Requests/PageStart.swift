internal import SluiceContract
internal import SluiceHTTP

/// Where a client begins a list whose pages have numbers (`pages: {offset:}` and `pages: {page:}`).
enum PageStart {
    /// It names none.
    case usual
    case number(Int)
    /// Nothing that can be counted on from: the next page would not be the one that follows.
    case unusable([UInt8])

    /// No list is that long, and sums of it stay far from the end of `Int`.
    private static let range = 0...(1 << 40)

    /// - Parameter target: what the upstream is asked for first.
    init(_ request: BoundRequest, _ target: [UInt8], _ rule: PageRule) {
        let digits: [UInt8]?
        if let variable = rule.variable {
            digits = request.route.flatMap { route in
                route.graphQL.flatMap { QueryVariables(request, $0, route).value(of: variable) }
            }
        } else {
            let pair = Self.pairs(of: target).first { rule.leadsOn($0) }
            digits = pair.map { Array($0.drop { $0 != UInt8(ascii: "=") }.dropFirst()) }
        }
        guard let digits, !digits.isEmpty else {
            self = .usual
            return
        }
        if let number = Int(String(decoding: digits, as: UTF8.self)), Self.range.contains(number) {
            self = .number(number)
        } else {
            self = .unusable(digits)
        }
    }

    /// Of the query of a target.
    static func pairs(of target: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return target[(mark + 1)...].split(separator: UInt8(ascii: "&"))
    }

    /// What the client is told of a start that is none, before anything is asked for; nil where it is one.
    static func fault(of request: BoundRequest, _ route: Route) -> Problem.Fault? {
        guard let rule = route.pages, rule.isNumbered,
            case .unusable(let start) = PageStart(request, Array(request.target.bytes), rule)
        else { return nil }
        let name = rule.policy.parameter ?? ""
        let declared = route.parameters.first { $0.fieldName.elementsEqual(name.utf8) }
        return Problem.Fault(
            name: declared?.name ?? name, location: (declared?.location ?? .query).rawValue,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            found: start.withUnsafeBytes { declared?.shown($0) ?? "'\(Shown.text($0))'" })
    }
}
