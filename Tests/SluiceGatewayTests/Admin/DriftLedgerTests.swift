import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct DriftLedgerTests {
    static func fault(_ path: String) -> Problem.Fault {
        Problem.Fault(name: path, location: "response", expected: "Int", found: "string \"x\"")
    }

    @Test(arguments: [
        ("$", "$"), ("$.a[3].b", "$.a[].b"), ("$[0]", "$[]"), ("$[0][12]", "$[][]"), ("$[\"7\"]", "$[\"7\"]"),
        ("$.a[", "$.a["), ("$.a[12", "$.a[12"), ("$.a[1x]", "$.a[1x]"), ("$.a[]", "$.a[]"),
    ])
    func positionsAreLeftOut(_ path: String, _ shown: String) {
        #expect(DriftLedger.path(path) == shown)
    }

    @Test func pathsAreBounded() {
        let ledger = DriftLedger()
        for number in 0..<DriftLedger.pathsMax + 5 { ledger.note([Self.fault("$.key\(number)")], of: "GET /a", at: 5) }
        ledger.note([Self.fault("$.key0"), Self.fault("$.key0")], of: "GET /a", at: 9)
        ledger.note([Self.fault("$")], of: "GET /b", at: 4)
        let all = ledger.all
        #expect(all.count == DriftLedger.pathsMax + 2)
        #expect(all.first { $0.path == DriftLedger.other }?.finding.count == 5)
        #expect(all.first { $0.path == "$.key0" }?.finding.count == 3)
        let key = all.first { $0.path == "$.key0" }?.finding
        #expect(key?.firstAt == 5 && key?.lastAt == 9)
        #expect(all.last?.binding == "GET /b" && all.last?.finding.count == 1)
    }

    @Test func longPathsAreCut() {
        let path = DriftLedger.path("$." + String(repeating: "é", count: 5000))
        #expect(path.hasPrefix("$.é") && path.hasSuffix("…") && path.utf8.count < 250)
    }

    /// Several keys of one object are several places.
    @Test func missingKeysHaveTheirOwnPaths() {
        let ledger = DriftLedger()
        for key in ["size", "a\"b"] {
            let fault = Problem.Fault(
                name: "$.values[1]", location: "response", expected: "\"\(key)\": Int", found: "an object without it",
                reason: .missing)
            ledger.note([fault], of: "GET /a", at: 1)
        }
        #expect(ledger.all.map(\.path) == ["$.values[].a\"b", "$.values[].size"])
        #expect(ledger.all.map(\.finding.proposal) == ["Int?", "Int?"])
    }

    /// Of the answers that were checked since the first one that had it.
    @Test func sharesAreThoseOfAnswers() {
        let ledger = DriftLedger()
        var checked: UInt64 = 10
        ledger.note([Self.fault("$.a"), Self.fault("$.a")], of: "GET /a", at: 1) { _ in checked }
        checked = 19
        ledger.note([Self.fault("$.a")], of: "GET /a", at: 2) { _ in checked }
        let finding = ledger.all.first?.finding
        #expect(finding?.count == 3 && finding?.answers == 2)
        // The first was the tenth.
        #expect(finding?.share(of: 19) == 200)
        #expect(finding?.share(of: 0) == 1000, "never more than all")
        ledger.note([Self.fault("$.b")], of: "GET /a", at: 2, as: .newKey)
        #expect(ledger.all.last?.finding.share(of: 19) == nil, "it is only looked for now and then")
    }

    @Test func goesOnAfterARestart() throws {
        let first = DriftLedger()
        first.note([Self.fault("$.a[3].size")], of: "GET /a", at: 5) { _ in 7 }
        first.note(
            [
                Problem.Fault(
                    name: "$.kind", location: "response", expected: "only declared keys", found: "an undeclared key")
            ],
            of: "GET /a", at: 6, as: .newKey)
        let records = first.records { _ in 107 }
        #expect(records.map(\.checked) == [101, 107])
        let second = DriftLedger()
        second.restore(records) { _ in 0 }
        #expect(second.records { _ in 0 } == records)
        #expect(second.all.map(\.finding.proposal) == first.all.map(\.finding.proposal))
        second.note([Self.fault("$.a[1].size")], of: "GET /a", at: 9) { _ in 1 }
        let finding = try #require(second.all.first?.finding)
        #expect(finding.count == 2 && finding.firstAt == 5 && finding.lastAt == 9)
        #expect(finding.share(of: 99) == 10)
        // What is known already is not counted twice.
        second.restore(records) { _ in 0 }
        #expect(second.all.first?.finding.count == 2)
    }

    @Test func whatIsNoRecordIsLeftOut() {
        var record = DriftRecord(binding: "GET /a", path: "$", kind: "fault", declared: "Int")
        let ledger = DriftLedger()
        ledger.restore([record]) { _ in 0 }
        record.count = 1
        record.kind = "other"
        ledger.restore([record]) { _ in 0 }
        record.kind = "fault"
        record.path = String(repeating: "a", count: 500)
        ledger.restore([record]) { _ in 0 }
        #expect(ledger.all.isEmpty)
        ledger.restore(
            (0..<50).map { number in
                var record = DriftRecord(binding: "GET /a", path: "$.\(number)", kind: "fault", declared: "Int")
                record.count = 1
                return record
            }
        ) { _ in 0 }
        #expect(ledger.all.count == DriftLedger.pathsMax)
    }

    @Test func isForgotten() {
        let ledger = DriftLedger()
        for name in ["GET /a", "GET /b"] { ledger.note([Self.fault("$"), Self.fault("$.x")], of: name, at: 1) }
        let revision = ledger.revision
        #expect(ledger.forget("GET /c") == 0 && ledger.revision == revision)
        #expect(ledger.forget("GET /a") == 2 && ledger.revision > revision)
        #expect(ledger.all.map(\.binding) == ["GET /b", "GET /b"])
        #expect(ledger.forget(nil) == 2 && ledger.all.isEmpty)
    }
}
