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
                name: "$.values[1]", location: "response", expected: "\"\(key)\": Int", found: "an object without it")
            ledger.note([fault], of: "GET /a", at: 1)
        }
        #expect(ledger.all.map(\.path) == ["$.values[].a\"b", "$.values[].size"])
        #expect(ledger.all.map(\.finding.proposal) == ["Int?", "Int?"])
    }
}
