internal import SluiceJSON

/// `GET /watches`: the watched values of all loops, the most watched first.
extension AdminSocket {
    /// Values that are listed at most.
    private static let watchesMax = 1000

    var watchList: JSONValue {
        func number(_ value: Int?) -> JSONValue { value.map { .number($0) } ?? .null }
        let known = loopCache.shared.watches.all.map { (label: $0.label, standing: $0.standing) }
        let all = known.sorted { first, second in
            if first.standing.watchers != second.standing.watchers {
                return first.standing.watchers > second.standing.watchers
            }
            return (first.label.binding, first.label.target) < (second.label.binding, second.label.target)
        }
        let list = all.prefix(Self.watchesMax).map { label, standing in
            JSONValue.object([
                ("binding", .string(label.binding)), ("target", .string(label.target)),
                ("watchers", .number(standing.watchers)), ("changes", .number(Int(clamping: standing.number))),
                ("value_bytes", .number(standing.valueBytes)), ("changed_at", number(standing.changedAt)),
                ("answered_at", number(standing.answeredAt)), ("asking", .bool(standing.isAsking)),
                ("failures", .number(standing.failures)),
                ("problem", standing.problem.map { .string($0) } ?? .null),
            ])
        }
        return .object([("watches", .array(Array(list))), ("more", .number(all.count - list.count))])
    }
}
