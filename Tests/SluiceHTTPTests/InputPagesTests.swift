import Testing

@testable import SluiceHTTP

@Suite struct InputPagesTests {
    @Test func staysWhereNobodyKeepsIt() {
        let pages = InputPages(byteCount: 100, readsPerPage: 1)
        let first = pages.memory.baseAddress
        #expect(!pages.turn(after: 100))
        #expect(pages.memory.baseAddress == first)
    }

    /// Spare pages are kept up to a limit: more of them come and go.
    @Test func sparesAreLimited() {
        let pages = InputPages(byteCount: 256 << 10, readsPerPage: 1)
        var kept: [InputPage] = []
        var seen: Set<UnsafeMutableRawPointer?> = []
        for _ in 0..<12 {
            seen.insert(pages.memory.baseAddress)
            if let page = pages.page(worth: 256 << 10) { kept.append(page) }
            #expect(pages.turn(after: 256 << 10))
        }
        #expect(seen.count == 12)
        #expect(kept.allSatisfy { $0.memory.count == 256 << 10 })
        kept.removeAll()
        let spares = (0..<4).compactMap { _ in
            let page = pages.page(worth: 256 << 10)
            _ = pages.turn(after: 256 << 10)
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
        var kept = [try #require(pages.page(worth: 5000))]
        #expect(pages.turn(after: 5000))
        #expect(pages.memory.baseAddress == first + 8192)
        #expect(pages.memory.count == 8192)
        // What nobody keeps of it is written over.
        #expect(!pages.turn(after: 8192))
        kept.append(try #require(pages.page(worth: 8192)))
        #expect(pages.turn(after: 8192))
        #expect(pages.memory.count == 2 * 8192)
        let second = try #require(pages.memory.baseAddress)
        #expect(!(first..<first + 2 * 8192).contains(second))
        var third: InputPage? = try #require(pages.page(worth: 8192))
        #expect(pages.turn(after: 8192))
        #expect(pages.memory.baseAddress == second + 8192)
        #expect(third?.memory.baseAddress == second)
        third = nil
        #expect(pages.turn(after: 10))
        #expect(pages.memory.baseAddress == second)
        #expect(kept.allSatisfy { $0.memory.baseAddress == first })
    }

    /// A long read leaves too little for another.
    @Test func aLongReadTakesThePage() throws {
        let pages = InputPages(byteCount: 8192)
        let first = pages.memory.baseAddress
        let kept = try #require(pages.page(worth: 12_000))
        #expect(pages.turn(after: 12_000))
        #expect(pages.memory.count == 2 * 8192)
        #expect(pages.memory.baseAddress != first)
        #expect(kept.memory.baseAddress == first)
    }
}
