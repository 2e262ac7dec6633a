import Testing

@testable import SluiceHTTP

private typealias Method = SluiceHTTP.Method

@Suite struct MethodTests {
    @Test(arguments: SluiceHTTP.Method.allCases)
    func isReadBack(_ method: SluiceHTTP.Method) {
        let name = String(describing: method.name)
        #expect(name.withBytes { Method($0) } == method)
        // RFC 9110 §9.1: case-sensitive.
        #expect(name.lowercased().withBytes { Method($0) } == .other)
        #expect((name + "X").withBytes { Method($0) } == .other)
    }

    /// RFC 9110 §9.2.1, §9.2.2.
    @Test func properties() {
        let safe: Set<SluiceHTTP.Method> = [.get, .head, .options, .trace]
        #expect(Set(Method.allCases.filter(\.isSafe)) == safe)
        #expect(Set(Method.allCases.filter(\.isIdempotent)) == safe.union([.put, .delete]))
    }
}
