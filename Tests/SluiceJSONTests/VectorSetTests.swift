import CSIMD
import Testing

@testable import SluiceJSON

@Suite struct VectorSetTests {
    @Test func setsOfThisMachineMayBeWishedFor() {
        var number = 0
        while let next = sluice_json_kernel_at(number) {
            let name = String(cString: next.pointee.name)
            #expect(VectorSet.named(name).map { String(cString: $0.name) } == name)
            #expect(VectorSet.refusal(of: name) == nil)
            number += 1
        }
        #expect(number > 0 && VectorSet.refusal(of: nil) == nil)
    }

    @Test(arguments: ["", "avx1024", "AVX2"])
    func othersAreRefusedWithWhatThereIs(_ wish: String) throws {
        #expect(VectorSet.named(wish) == nil)
        let refusal = try #require(VectorSet.refusal(of: wish))
        #expect(refusal.hasPrefix("SLUICE_VECTORS=\(wish): ") && refusal.contains("it has none"))
    }
}
