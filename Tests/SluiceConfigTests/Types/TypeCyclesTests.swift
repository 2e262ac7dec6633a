import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct TypeCyclesTests {
    @Test(arguments: [
        ("A: {a: A}", "7:3: type 'A' contains itself without end: A → A"),
        ("A: {b: B}\nB: {c: C}\nC: {a: A}", "7:3: type 'A' contains itself without end: A → B → C → A"),
        ("A: A", "7:3: type 'A' only names itself: A → A"), ("A: A?", "7:3: type 'A' only names itself: A → A"),
        ("A: B | Int\nB: A", "7:3: type 'A' only names itself: A → B → A"),
        ("A: B\nB: {a: A}", "7:3: type 'A' contains itself without end: A → B → A"),
        ("X: {a: A}\nA: {a: A}", "8:3: type 'A' contains itself without end: A → A"),
    ])
    func refuses(_ types: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a}", types: types).mistakes == [mistake])
    }

    @Test(arguments: [
        "A: {a: A?}", "A: {a: [A]}", "A: {a: {'*': A}}", "A: [A]", "A: {b: B}\nB: {a: A?}", "A: {a: A | null}",
        "A: {a: {type: A, optional: true}}", "A: {x: {y: [A]}}",
    ])
    func accepts(_ types: String) {
        #expect(fruit("GET /a: {to: fruit /a, value: A}", types: types).mistakes == [])
    }
}
