import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct DriftLedgerTests {
    static func fault(_ path: String) -> Problem.Fault {
        Problem.Fault(name: path, location: "response", expected: "Int", found: "a string")
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
        for number in 0..<DriftLedger.pathsMax + 5 { ledger.note([Self.fault("$.key\(number)")], of: "GET /a") }
        ledger.note([Self.fault("$.key0"), Self.fault("$.key0")], of: "GET /a")
        ledger.note([Self.fault("$")], of: "GET /b")
        let all = ledger.all
        #expect(all.count == DriftLedger.pathsMax + 2)
        #expect(all.first { $0.path == DriftLedger.other }?.count == 5)
        #expect(all.first { $0.path == "$.key0" }?.count == 3)
        #expect(all.last?.binding == "GET /b" && all.last?.count == 1)
    }

    @Test func longPathsAreCut() {
        let path = DriftLedger.path("$." + String(repeating: "é", count: 5000))
        #expect(path.hasPrefix("$.é") && path.hasSuffix("…") && path.utf8.count < 250)
    }
}
