public import SluiceContract

/// `rows:` of a binding, compiled.
public final class RowPlan: Sendable {
    public let policy: RowPolicy
    let rowBytesMax: Int
    let columns: TableColumns?

    /// - Parameters:
    ///   - value: the type of all rows together, `[Row]`.
    ///   - rowBytesMax: the most bytes of one row.
    /// - Throws: where the type of a column cannot be compiled.
    public init(
        _ policy: RowPolicy, value: TypeExpression, types: NamedTypes, keys: KeyStyle, rowBytesMax: Int
    ) throws(PlanError) {
        self.policy = policy
        self.rowBytesMax = rowBytesMax
        if case .csv(let table) = policy.format {
            columns = try TableColumns(table, value, types, keys)
        } else {
            columns = nil
        }
    }
}
