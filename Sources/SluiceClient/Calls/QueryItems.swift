/// The items of a query, in their order; a name may stand more than once.
public struct QueryItems: Hashable, Sendable {
    /// One `name=value`.
    public struct Item: Hashable, Sendable {
        /// As the program means it: not percent-encoded.
        public var name: String
        /// As the program means it: not percent-encoded.
        public var value: String

        /// `name=value`.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All items in their order.
    public private(set) var items: [Item]
    /// Names whose value was a list, of whatever length: what a query does not say.
    package private(set) var lists: Set<String> = []

    /// Items in their order; without any there is no `?`.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    public static func == (first: QueryItems, second: QueryItems) -> Bool { first.items == second.items }

    public func hash(into hasher: inout Hasher) { hasher.combine(items) }

    /// Items of a dictionary with printable keys and values, sorted by name, so that the same parameters make the same
    /// target. A list repeats its name, what is absent is left out; an enum is its raw value unless it prints itself.
    public init<Key: CustomStringConvertible, Value>(_ params: [Key: Value]) {
        items = []
        for (name, value) in params.map({ ($0.key.description, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            items += PrintedParameter.texts(of: value).map { Item(name: name, value: $0) }
            if PrintedParameter.isList(value) { lists.insert(name) }
        }
    }

    /// The items of a query as it stands in a target, without its `?`. What cannot be decoded is taken as it is.
    public init(text: some StringProtocol) {
        items = text.split(separator: "&").map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentText.decoded(Substring($0), plusIsSpace: true) ?? String($0)
            }
            return Item(name: halves[0], value: halves.count > 1 ? halves[1] : "")
        }
    }

    /// Whether there is nothing to be asked with.
    public var isEmpty: Bool { items.isEmpty }

    /// Adds an item for each text of a value; other items of that name stay.
    public mutating func append(_ name: String, _ value: some ParameterValue) {
        items += value.parameterTexts.map { Item(name: name, value: $0) }
        if value is any ParameterList { lists.insert(name) }
    }

    /// The items of both: where a name stands on both sides, the right side's are taken.
    public func merging(_ other: QueryItems) -> QueryItems {
        let taken = Set(other.items.map(\.name))
        var both = QueryItems(items.filter { !taken.contains($0.name) } + other.items)
        both.lists = lists.subtracting(taken).union(other.lists)
        return both
    }

    /// The same items, sorted by name and value: what two spellings of one resource have in common.
    public var canonical: QueryItems {
        QueryItems(items.sorted { ($0.name, $0.value) < ($1.name, $1.value) })
    }

    /// `a=1&a=2&b=%2F`.
    public var text: String {
        items.map { "\(PercentText.encoded($0.name))=\(PercentText.encoded($0.value))" }.joined(separator: "&")
    }
}

/// `["limit": 10, "color": "red"]`, in the order it is written.
extension QueryItems: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, any ParameterValue)...) {
        items = []
        for (name, value) in elements { append(name, value) }
    }
}
