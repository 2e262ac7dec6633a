import Testing

@testable import SluiceHTTP

@Suite struct InputPagesTests {
    @Test func staysWhereNobodyKeepsIt() {
        let pages = InputPages(byteCount: 100)
        let first = pages.memory.baseAddress
        #expect(!pages.turn())
        #expect(pages.memory.baseAddress == first)
    }

    /// Spare pages are kept up to a limit: more of them come and go.
    @Test func sparesAreLimited() {
        let pages = InputPages(byteCount: 256 << 10)
        var kept: [InputPage] = []
        var seen: Set<UnsafeMutableRawPointer?> = []
        for _ in 0..<12 {
            seen.insert(pages.memory.baseAddress)
            if let page = pages.page(worth: 256 << 10) { kept.append(page) }
            #expect(pages.turn())
        }
        #expect(seen.count == 12)
        #expect(kept.allSatisfy { $0.memory.count == 256 << 10 })
        kept.removeAll()
        let spares = (0..<4).compactMap { _ in
            let page = pages.page(worth: 256 << 10)
            _ = pages.turn()
            return page
        }
        #expect(spares.count == 4)
        #expect(spares.dropFirst().allSatisfy { seen.contains($0.memory.baseAddress) })
    }
}
