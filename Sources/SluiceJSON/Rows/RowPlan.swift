public import SluiceContract

/// `rows:` of a binding, compiled.
public final class RowPlan: Sendable {
    public let policy: RowPolicy
    let rowBytesMax: Int
    let columns: TableColumns?

    /// - Parameters:
    ///   - value: the type of all rows together, `[Row]`.
    ///   - rowBytesMax: the most bytes of one row.
    public init(_ policy: RowPolicy, value: TypeExpression, types: NamedTypes, keys: KeyStyle, rowBytesMax: Int) {
        self.policy = policy
        self.rowBytesMax = rowBytesMax
        if case .csv(let table) = policy.format {
            columns = TableColumns(table, value, types, keys)
        } else {
            columns = nil
        }
    }
}
