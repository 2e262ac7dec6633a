import SluiceContract

/// A type with its names resolved: what each kind of JSON value must satisfy, by shape number.
struct Shape {
    /// As the configuration writes it, for faults.
    var expected: String
    /// `JSON`: everything is as declared.
    var isAny = false
    var acceptsNull = false
    var acceptsTrue = false
    var acceptsFalse = false
    /// Alternatives for a string; none means that a string is a fault.
    var strings: [ScalarRule] = []
    var numbers: [ScalarRule] = []
    var object: ObjectShape?
    /// Instead of one object: several, of which the contents say which.
    var choice: ChoiceShape?
    /// Shape of the elements; nil means that an array is a fault.
    var element: Int?
    /// What is asked of an array beyond its elements.
    var elements: Constraint?

    init(expected: String) {
        self.expected = expected
    }
}

struct ObjectShape {
    var fields: [FieldShape] = []
    var others: Others
    /// Whether it is put together from its fields, wherever they stand.
    var isComposed = false

    /// New names of renamed keys, but for those that another declared key has on the way in.
    var namesGiven: [String] {
        fields.filter { field in field.keyOut != field.keyIn && !fields.contains { $0.keyIn == field.keyOut } }
            .map(\.keyOut)
    }

    enum Others: Hashable {
        case pass, drop, reject
        /// A dictionary: every key may stand, with a value of this shape.
        case values(Int)
    }
}

/// Objects that are told apart by their contents.
struct ChoiceShape {
    /// The key whose value tells; nil where the keys do that are there.
    var key: String?
    /// A value of the key, or a key, and which shape an object with it has.
    var ways: [(text: String, form: Way.Form, shape: Int)]
    /// Shape of an object in which none of them is found.
    var otherwise: Int
    /// What is looked for, for faults.
    var sought: String
}

struct FieldShape {
    /// The key in the document that comes in.
    var keyIn: String
    /// The key in what goes out.
    var keyOut: String
    var shape: Int
    var isRequired: Bool
    var defaultJSON: String?
    /// What faults say where the key is missing; nil says the key and its type.
    var whenMissing: String?
    /// The way of a part, from the object on.
    var path: [FieldPath.Component] = []
    /// As the configuration writes it.
    var type = TypeExpression.scalar(.json)
    /// Whether a null on the way means that it is absent.
    var mayBeNull = false
}

/// One way for a scalar to be as declared.
struct ScalarRule: Hashable {
    var grammar: ScalarGrammar
    /// The set, for ``ScalarGrammar/literals`` and ``ScalarGrammar/openLiterals``.
    var literals: [String] = []
    var constraint: Constraint?
    /// What goes out instead.
    var conversion: Conversion?
}

/// The grammars of scalars, each over the text of a number or the unescaped text of a string.
enum ScalarGrammar: UInt8, Hashable {
    case anyString, literals, openLiterals, date, localDate, uuid, url, base64
    /// A number or a truth value as a string.
    case quotedInt, quotedDouble, quotedDecimal, quotedBool
    case anyNumber, double
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64
}
