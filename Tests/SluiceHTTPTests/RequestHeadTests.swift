import SluiceContract
import Testing

@testable import SluiceHTTP

/// A head that is filled by hand, as from HTTP/2.
@Suite struct RequestHeadTests {
    @Test func setters() {
        var head = RequestHead()
        "GET".withBytes { head.set(method: $0) }
        let refusal = "/a/b?c=d".withBytes { head.set(target: $0) }
        #expect(refusal == nil)
        let hostRefusal = "example:8443".withBytes { head.set(authority: $0) }
        #expect(hostRefusal == nil)
        head.fields.append(.accept, "*/*")
        let parts = [head.methodName, head.target, head.path, head.query, head.authority].map { String($0) }
        #expect(parts == ["GET", "/a/b?c=d", "/a/b", "c=d", "example:8443"])
        let facts = (head.method, head.hasQuery, head.targetForm)
        #expect(facts == (.get, true, .origin))
        let lines = head.fields.lines
        #expect(lines == ["Accept: */*"])
    }

    @Test(arguments: ["", "a", "/ ", "/\u{0}", "/é", "/#", "*", "http://", "http://u@a/", "/%a"])
    func refusesTargets(_ target: String) {
        var head = RequestHead()
        head.method = .get
        let refusal = target.withBytes { head.set(target: $0) }
        #expect(refusal?.kind == .badRequest)
    }

    @Test(arguments: ["", "a b", "u@a", "a:0"])
    func refusesAuthorities(_ authority: String) {
        var head = RequestHead()
        let refusal = authority.withBytes { head.set(authority: $0) }
        #expect(refusal?.kind == .badRequest)
    }

    @Test func reset() {
        var head = RequestHead()
        "PUT".withBytes { head.set(method: $0) }
        _ = "/a?b".withBytes { head.set(target: $0) }
        head.keepAlive = true
        head.reset()
        let sizes = (head.target.count, head.methodName.count, head.query.count, head.fields.count, head.keepAlive)
        #expect(sizes == (0, 0, 0, 0, false))
    }
}
