internal import SluiceContract
internal import SluiceHTTP

/// The page or offset at which a client begins a numbered list (`pages: {offset:}` and `pages: {page:}`).
enum PageStart {
    /// The client names no start.
    case usual
    case number(Int)
    /// A value that cannot be counted on from, so that the next page would be unknown.
    case unusable([UInt8])

    /// Longer than any list; adding to such numbers stays far below the maximum of `Int`.
    private static let range = 0...(1 << 40)

    /// - Parameter target: the first target that is requested upstream.
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

    /// The pairs in the query of a target.
    static func pairs(of target: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return target[(mark + 1)...].split(separator: UInt8(ascii: "&"))
    }

    /// The fault of an unusable start, found before the upstream is asked; nil where the start is usable.
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
