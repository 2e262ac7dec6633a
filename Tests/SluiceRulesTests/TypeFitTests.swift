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

    @Test func unionsInUnions() {
        func union(_ letter: String, to end: TypeExpression) -> [TypeDefinition] {
            Self.chain(letter, 5000, to: end) { .union([.array($0), .scalar(.bool)]) }
        }
        let given = union("A", to: .scalar(.int))
        #expect(Self.fault(given + union("B", to: .scalar(.int))) == nil)
        #expect(Self.fault(given + union("B", to: .scalar(.string))) != nil)
    }

    /// What an alternative has asked first and has not proven is no more granted to the next one.
    @Test func alternativesThatAskTheSame() {
        let inner = [
            TypeDefinition(name: "X", type: Self.object(.scalar(.int))),
            TypeDefinition(name: "Y", type: Self.object(.scalar(.string))),
        ]
        func told(_ type: TypeExpression, _ kind: String) -> TypeExpression {
            .object(
                ObjectType(fields: [
                    ObjectType.Field(name: "a", type: type), ObjectType.Field(name: "kind", type: .literals([kind])),
                ]))
        }
        func fault(_ wanted: TypeExpression) -> TypeFit.Fault? {
            Self.fault(
                inner + [
                    TypeDefinition(name: "A0", type: told(.named("X"), "q")),
                    TypeDefinition(name: "B0", type: .union([told(wanted, "p"), told(wanted, "q")])),
                ])
        }
        #expect(fault(.named("Y"))?.text == "is A0, and B0 is wanted")
        #expect(fault(.named("X")) == nil)
    }

    /// Each alternative asks all that stands deeper before it is told apart.
    @Test func alternativesOfAlternatives() {
        func told(_ type: TypeExpression, _ kind: String) -> TypeExpression {
            .object(
                ObjectType(fields: [
                    ObjectType.Field(name: "a", type: .optional(type)),
                    ObjectType.Field(name: "kind", type: .literals([kind])),
                ]))
        }
        func fault(endingIn end: TypeExpression) -> TypeFit.Fault? {
            Self.fault(
                Self.chain("A", 1000, to: .scalar(.int)) { told($0, "q") }
                    + Self.chain("B", 1000, to: end) { .union([told($0, "p"), told($0, "q")]) })
        }
        #expect(fault(endingIn: .scalar(.double)) == nil)
        #expect(fault(endingIn: .scalar(.bool))?.text == "is A0, and B0 is wanted")
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
