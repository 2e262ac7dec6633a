import SluiceContract

/// A type with its names resolved: what each kind of JSON value must satisfy, by shape number.
struct Shape {
    /// As the configuration writes it, for faults.
    var expected: String
    /// The type `JSON`, which accepts every value.
    var isAny = false
    var acceptsNull = false
    var acceptsTrue = false
    var acceptsFalse = false
    /// Alternatives for a string; none means that a string is a fault.
    var strings: [ScalarRule] = []
    var numbers: [ScalarRule] = []
    var object: ObjectShape?
    /// Instead of `object`: several objects that are told apart by their contents.
    var choice: ChoiceShape?
    /// Shape of the elements; nil means that an array is a fault.
    var element: Int?
    /// The constraint on an array as a whole.
    var elements: Constraint?

    init(expected: String) {
        self.expected = expected
    }
}

struct ObjectShape {
    var fields: [FieldShape] = []
    var others: Others
    /// Whether the object is composed of fields from anywhere in the document.
    var isComposed = false

    /// The names that keys are renamed to, except those that a declared key has in the input.
    var namesGiven: [String] {
        fields.filter { field in field.keyOut != field.keyIn && !fields.contains { $0.keyIn == field.keyOut } }
            .map(\.keyOut)
    }

    enum Others: Hashable {
        case pass, drop, reject
        /// A dictionary: every key is allowed, with a value of this shape.
        case values(Int)
    }
}

/// Objects that are told apart by their contents.
struct ChoiceShape {
    /// The key whose value tells; nil if the presence of keys tells.
    var key: String?
    /// The values of the key, or the keys, each with the shape of an object that has it.
    var ways: [(text: String, form: Way.Form, shape: Int)]
    /// Shape of an object that has none of them.
    var otherwise: Int
    /// What is looked for, for faults.
    var sought: String
}

struct FieldShape {
    /// The key in the input document.
    var keyIn: String
    /// The key in the output.
    var keyOut: String
    var shape: Int
    var isRequired: Bool
    var defaultJSON: String?
    /// What faults say if the key is missing; nil says the key and its type.
    var whenMissing: String?
    /// The path of the field's value, from the object on.
    var path: [FieldPath.Component] = []
    /// The type as the configuration writes it.
    var type = TypeExpression.scalar(.json)
    /// Whether a null on the path means that the field is absent.
    var mayBeNull = false
}

/// One of the forms that a scalar may have.
struct ScalarRule: Hashable {
    var grammar: ScalarGrammar
    /// The set, for ``ScalarGrammar/literals`` and ``ScalarGrammar/openLiterals``.
    var literals: [String] = []
    var constraint: Constraint?
    /// How the scalar is converted for the output.
    var conversion: Conversion?
}

/// The grammars of scalars, each over the text of a number or the unescaped text of a string.
enum ScalarGrammar: UInt8, Hashable {
    case anyString, literals, openLiterals, date, localDate, uuid, url, base64
    /// A number or a bool as a string.
    case quotedInt, quotedDouble, quotedDecimal, quotedBool
    case anyNumber, double
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64
}
