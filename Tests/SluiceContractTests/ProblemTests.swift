import Testing

@testable import SluiceContract

@Suite struct ProblemTests {
    /// Every stage of a request returns one, or none.
    @Test func takesAWord() {
        #expect(MemoryLayout<Problem?>.size == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test func isAValue() {
        let before = Problem(.upstreamError, status: 418, detail: "A teapot.")
        var after = before
        #expect(after == before)
        after.faults.append(.init(name: "$.id", location: "response", expected: "Int", found: "text \"a\""))
        after.part = "a"
        #expect(before.faults.isEmpty && before.part == nil)
        #expect(after.faults.count == 1 && after.part == "a" && after.status == 418 && after.detail == before.detail)
        #expect(after != before)
    }

    /// What its kind says of it.
    @Test(arguments: Problem.Kind.allCases) func followsItsKind(_ kind: Problem.Kind) {
        let problem = Problem(kind, detail: "")
        #expect(problem.status == kind.status && problem.source == kind.source)
        #expect(problem.isRetryable == kind.isRetryable)
        #expect(problem.retryAfterSeconds == (kind == .overloaded ? 1 : nil))
    }
}
