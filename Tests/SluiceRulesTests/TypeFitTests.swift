import SluiceContract
import Testing

@testable import SluiceRules

/// Types that lead to each other, as far as a page is long: each question is asked once, and none waits on the stack.
@Suite struct TypeFitTests {
    /// The type of each name leads to the next one, and the last to `end`.
    private static func chain(
        _ letter: String, _ count: Int, to end: TypeExpression, _ form: (TypeExpression) -> TypeExpression
    ) -> [TypeDefinition] {
        (0..<count).map { number in
            let next = number + 1 < count ? TypeExpression.named("\(letter)\(number + 1)") : end
            return TypeDefinition(name: "\(letter)\(number)", type: form(next))
        }
    }

    private static func fault(_ definitions: [TypeDefinition]) -> TypeFit.Fault? {
        TypeFit(definitions, placed: definitions).fault(of: .named("A0"), as: .named("B0"))
    }

    private static func object(_ type: TypeExpression) -> TypeExpression {
        .object(ObjectType(fields: [ObjectType.Field(name: "x", type: type)]))
    }

    @Test func twoLongChains() {
        let forms: [(TypeExpression) -> TypeExpression] = [
            { Self.object($0) }, { Self.object(.optional($0)) }, { .array($0) }, { .dictionary($0) }, { .optional($0) },
        ]
        for form in forms {
            let given = Self.chain("A", 5000, to: .scalar(.int), form)
            #expect(Self.fault(given + Self.chain("B", 5000, to: .scalar(.int), form)) == nil)
            let other = Self.fault(given + Self.chain("B", 5000, to: .scalar(.bool), form))
            #expect(other?.text == "is Int, and Bool is wanted")
        }
    }

    /// Circles of different lengths meet in all pairs of their types.
    @Test func twoCircles() {
        func circle(_ letter: String, _ count: Int) -> [TypeDefinition] {
            Self.chain(letter, count, to: .named("\(letter)0")) { Self.object(.optional($0)) }
        }
        #expect(Self.fault(circle("A", 100) + circle("B", 101)) == nil)
    }

    private static let unions: [(Int, String?)] = [
        (30, nil), (5000, "leads through unions of types that are more than 32 deep in each other"),
    ]

    /// Of alternatives each is asked within the one before, and so there is a bound.
    @Test(arguments: unions)
    func unionsInUnions(count: Int, text: String?) {
        func union(_ letter: String) -> [TypeDefinition] {
            Self.chain(letter, count, to: .scalar(.int)) { .union([.array($0), .scalar(.bool)]) }
        }
        #expect(Self.fault(union("A") + union("B"))?.text == text)
    }

    /// The first field that does not fit is told, whatever is wrong behind it.
    @Test func whatIsWrongFirst() {
        func pair(_ letter: String, _ fields: [(String, TypeExpression)]) -> TypeDefinition {
            TypeDefinition(
                name: letter,
                type: .object(ObjectType(fields: fields.map { ObjectType.Field(name: $0.0, type: $0.1) })))
        }
        let (int, text) = (TypeExpression.scalar(.int), TypeExpression.scalar(.string))
        let definitions = [
            pair("A0", [("a", .array(int)), ("b", int)]), pair("B0", [("a", .array(text)), ("c", int), ("b", text)]),
        ]
        #expect(Self.fault(definitions) == TypeFit.Fault(way: "a[]", text: "is Int, and String is wanted"))
    }
}
