import Testing

@testable import SluiceHTTP

@Suite struct InputPagesTests {
    @Test func staysWhereNobodyKeepsIt() {
        let pages = InputPages(byteCount: 100, readsPerPage: 1)
        let first = pages.memory.baseAddress
        #expect(!pages.turn())
        #expect(pages.memory.baseAddress == first)
    }

    /// Spare pages are kept up to a limit: more of them come and go.
    @Test func sparesAreLimited() {
        let pages = InputPages(byteCount: 256 << 10, readsPerPage: 1)
        pages.readCount = 256 << 10
        var kept: [InputPage] = []
        var seen: Set<UnsafeMutableRawPointer?> = []
        for _ in 0..<24 {
            seen.insert(pages.memory.baseAddress)
            if let page = pages.page(worth: 256 << 10) { kept.append(page) }
            #expect(pages.turn())
        }
        #expect(seen.count == 24)
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

    /// The second read goes behind the first, the third to another page; and to the beginning again once nobody keeps
    /// what stands there.
    @Test func twoReadsShareAPage() throws {
        let pages = InputPages(byteCount: 8192)
        let first = try #require(pages.memory.baseAddress)
        #expect(pages.memory.count == 2 * 8192)
        pages.readCount = 5000
        var kept = [try #require(pages.page(worth: 5000))]
        #expect(pages.turn())
        #expect(pages.memory.baseAddress == first + 8192)
        #expect(pages.memory.count == 8192)
        // What nobody keeps of it is written over.
        pages.readCount = 8192
        #expect(!pages.turn())
        kept.append(try #require(pages.page(worth: 8192)))
        #expect(pages.turn())
        #expect(pages.memory.count == 2 * 8192)
        let second = try #require(pages.memory.baseAddress)
        #expect(!(first..<first + 2 * 8192).contains(second))
        var third = pages.page(worth: 8192)
        #expect(pages.turn())
        #expect(pages.memory.baseAddress == second + 8192)
        #expect(third?.memory.baseAddress == second)
        third = nil
        pages.readCount = 10
        #expect(pages.turn())
        #expect(pages.memory.baseAddress == second)
        #expect(kept.allSatisfy { $0.memory.baseAddress == first })
    }

    /// A long read leaves too little for another.
    @Test func aLongReadTakesThePage() throws {
        let pages = InputPages(byteCount: 8192)
        let first = pages.memory.baseAddress
        pages.readCount = 12_000
        #expect(pages.page(worth: 5_999) == nil)
        let kept = try #require(pages.page(worth: 12_000))
        #expect(pages.turn())
        #expect(pages.memory.count == 2 * 8192)
        #expect(pages.memory.baseAddress != first)
        #expect(kept.memory.baseAddress == first)
    }
}
