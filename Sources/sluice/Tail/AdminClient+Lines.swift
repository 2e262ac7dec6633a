internal import ArgumentParser

extension AdminClient {
    /// Hands over an answer without end, line by line, until the daemon ends it.
    /// - Throws: exit code 1 with what is wrong on standard error.
    func follow(_ path: String, _ query: Query, line take: (ArraySlice<UInt8>) -> Void) throws {
        var lines = LineSplitter()
        var answer: LocalClient.Answer?
        var refusal: [UInt8] = []
        do throws(StreamSocket.Failure) {
            _ = try LocalClient(address: address, seconds: 0).send(Self.request(path, query)) {
                answer = $0
            } body: { bytes in
                if answer?.status == 200 { lines.feed(bytes, take) } else { refusal += bytes }
            }
        } catch {
            if answer?.status == 200 { throw Say.failure("sluice: the daemon is gone: \(error)") }
            throw Say.failure("sluice: \(error)\(Self.advice(error))")
        }
        if let answer, answer.status >= 400 { throw Say.failure("sluice: " + Self.words(of: refusal)) }
    }
}
