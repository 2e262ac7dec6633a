/// Query items by name and value, with conditions and loops between them.
///
/// What is nil is left out, a list repeats its name.
@resultBuilder
public enum QueryBuilder {
    /// An item for each text of the value.
    public static func buildExpression(_ pair: (String, any ParameterValue)) -> [URLParameter] {
        pair.1.parameterTexts.map { URLParameter(name: pair.0, value: $0) }
    }

    /// Items that are made already.
    public static func buildExpression(_ items: [URLParameter]) -> [URLParameter] { items }

    /// All items in their order.
    public static func buildBlock(_ parts: [URLParameter]...) -> [URLParameter] { parts.flatMap(\.self) }

    /// Items behind an `if`.
    public static func buildOptional(_ part: [URLParameter]?) -> [URLParameter] { part ?? [] }

    /// Items of one branch.
    public static func buildEither(first part: [URLParameter]) -> [URLParameter] { part }

    /// Items of the other branch.
    public static func buildEither(second part: [URLParameter]) -> [URLParameter] { part }

    /// Items of a loop.
    public static func buildArray(_ parts: [[URLParameter]]) -> [URLParameter] { parts.flatMap(\.self) }
}

/// One `name=value` of a query.
public typealias URLParameter = QueryItems.Item
