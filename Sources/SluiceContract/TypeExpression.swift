/// A type as the configuration writes it, in Swift notation (`[Fruit]`, `Int?`, `red | green`).
///
/// The notation is read by ``TypeNotation``; the JSON engine compiles expressions into plans.
public indirect enum TypeExpression: Hashable, Sendable {
    /// A scalar such as `Int` or `Date(seconds)`; `JSON` stands for any value.
    case scalar(Scalar)
    /// A closed set of strings: `red | green | yellow`.
    case literals([String])
    /// A set of strings that may grow, `red | green | …`: others pass and are counted as drift.
    case open([String])
    /// A number, `true` or `false` that is the only value, as JSON writes it: `1`.
    case constant(String)
    /// A scalar or an array of which more is asked: `Int(1...100)`, `[Fruit](0...50)`.
    case constrained(TypeExpression, Constraint)
    /// `[T]`.
    case array(TypeExpression)
    /// `{"*": T}`: an object with free keys.
    case dictionary(TypeExpression)
    /// `T?`: absent or null (Swift's `decodeIfPresent`).
    case optional(TypeExpression)
    /// `A | B`: the alternatives differ in JSON kind, are scalars tried in this order, or objects that are told apart
    /// (``ObjectTelling``); never nested.
    case union([TypeExpression])
    /// `null`, only ever inside a union: present but possibly null.
    case null
    /// An object with named fields, written in place.
    case object(ObjectType)
    /// A scalar that the upstream writes as the first one, and local clients as the second: `Date(seconds) -> Date`.
    case converted(Scalar, Scalar)
    /// Objects told apart by the value of a key, each with a name.
    case choice(ObjectChoice)
    /// A name from `types:`; resolved when plans are compiled, so that types may be recursive.
    case named(String)
}

/// A scalar of the type notation.
public enum Scalar: Hashable, Sendable {
    case string, bool
    case int, int8, int16, int32, int64
    case uint, uint8, uint16, uint32, uint64
    case double, decimal
    case date(DateFormat)
    case uuid, url, data
    /// A number or a truth value that is written as a string: `Decimal(string)`.
    case quoted(Quoted)
    /// Any JSON value.
    case json

    /// What may be written as a string, by its name.
    public enum Quoted: String, Hashable, Sendable, CaseIterable {
        case int = "Int"
        case double = "Double"
        case decimal = "Decimal"
        case bool = "Bool"
    }

    /// How a `Date` is written on the wire.
    public enum DateFormat: String, Hashable, Sendable, CaseIterable {
        /// RFC 3339 text: a date, or date and time with an offset.
        case iso8601
        /// The same, and a time without an offset.
        case local
        /// A number of seconds since 1970.
        case seconds
        /// A number of milliseconds since 1970.
        case milliseconds
    }
}

/// An object with named fields.
public struct ObjectType: Hashable, Sendable {
    /// In the order of declaration.
    public var fields: [Field]
    /// What happens to keys that no field names; nil means that the binding's rule applies.
    public var unknown: UnknownKeys?

    public init(fields: [Field], unknown: UnknownKeys? = nil) {
        self.fields = fields
        self.unknown = unknown
    }

    /// One declared key.
    public struct Field: Hashable, Sendable {
        /// The key that local clients see.
        public var name: String
        /// The key in the upstream's JSON where it differs (`name: {from: full_name}`).
        public var from: String?
        public var type: TypeExpression
        /// JSON text put in where the key is absent.
        public var defaultJSON: String?
        /// Where its value stands, where that is no key of the object; ``from`` is nil then.
        public var source: FieldSource?
        /// `name?: T`: the key may be absent, whatever the type says of null.
        public var mayBeAbsent = false

        public init(name: String, from: String? = nil, type: TypeExpression, defaultJSON: String? = nil) {
            self.name = name
            self.from = from
            self.type = type
            self.defaultJSON = defaultJSON
        }
    }
}

/// What happens to keys that a type does not name.
public enum UnknownKeys: String, Hashable, Sendable, CaseIterable {
    case pass, drop, reject
}

/// How keys are renamed between upstream and client.
public enum KeyStyle: String, Hashable, Sendable, CaseIterable {
    /// Keys stay as the upstream writes them.
    case verbatim
    /// Upstream `full_name` is local `fullName`, in both directions, for declared keys.
    case camelCase
}

/// A name of `types:` with its meaning.
public struct TypeDefinition: Hashable, Sendable {
    public var name: String
    public var type: TypeExpression

    public init(name: String, type: TypeExpression) {
        self.name = name
        self.type = type
    }
}
