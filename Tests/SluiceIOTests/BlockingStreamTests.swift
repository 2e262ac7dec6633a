import Testing

@testable import SluiceIO

@Suite struct BlockingStreamTests {
    /// One address that does not answer leaves time for the next.
    @Test func theFirstAddressDoesNotAnswer() throws {
        let silent = try LoopbackListener(.unanswered)
        let open = try LoopbackListener(.taken)
        let deadline = BlockingStream.Deadline(in: .seconds(1), "no answer in time")
        _ = try BlockingStream.connect([silent.address, open.address], by: deadline)
        #expect(throws: BlockingStream.Failure.self) {
            _ = try BlockingStream.connect([silent.address], by: .init(in: .milliseconds(1), "no answer in time"))
        }
    }
}
