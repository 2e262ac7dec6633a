import SluiceContract
import Testing

@Suite struct NamedTypesTests {
    @Test func followsNames() {
        let types = NamedTypes([
            .init(name: "A", type: .named("B")), .init(name: "B", type: .named("C")),
            .init(name: "C", type: .scalar(.int)),
            .init(name: "L", type: .named("M")), .init(name: "M", type: .named("L")),
            .init(name: "X", type: .named("Lost")),
            .init(name: "E", type: .named("L")), .init(name: "C", type: .null),
        ])
        #expect(types.resolved(.named("A")) == .scalar(.int))
        #expect(types.resolved(.named("C")) == .scalar(.int))
        #expect(types.resolved(.null) == .null)
        #expect(types.resolved(.named("X")) == .named("Lost"))
        #expect(!types.contains("Lost"))
        #expect(!types.isOptional(.named("A")) && types.isOptional(.optional(.named("A"))))
        #expect(NamedTypes([.init(name: "A", type: .optional(.null))]).isOptional(.named("A")))
        // A circle ends in a name that is known.
        for name in ["L", "M", "E"] {
            guard case .named(let last) = types.resolved(.named(name)) else {
                Issue.record("\(name) means something")
                continue
            }
            #expect(types.contains(last))
        }
    }
}
