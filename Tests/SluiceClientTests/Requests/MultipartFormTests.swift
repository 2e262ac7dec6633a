import Foundation
import SluiceClient
import Testing

/// Forms whose parts are read as they are sent.
@Suite struct MultipartFormTests {
    struct Send: MultipartStatusRequest {
        var body: MultipartForm
        let path = "/files"
    }

    /// A stream of pieces, which counts those that were asked for.
    private static func pieces(_ texts: [String]) -> any AsyncSequence<[UInt8], any Error> & Sendable {
        AsyncThrowingStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
    }

    private static func sent(_ form: MultipartForm) async throws -> (text: String, length: Int?) {
        let transport = ScriptedTransport(json: "{}")
        try await GatewayClient(transport: transport).send(Send(body: form))
        guard case .stream(let length, let stream) = transport.requests[0].body else {
            throw CallError.encode("it is not streamed")
        }
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        return (String(decoding: bytes, as: UTF8.self), length)
    }

    private static func wanted(_ form: MultipartForm, _ content: String) -> String {
        """
        --\(form.boundary)\r
        Content-Disposition: form-data; name="note"\r
        \r
        ripe\r
        --\(form.boundary)\r
        Content-Disposition: form-data; name="photo"; filename="fig.txt"\r
        Content-Type: text/plain\r
        \r
        \(content)\r
        --\(form.boundary)--\r

        """
    }

    @Test(arguments: [9, nil])
    func q1StreamedParts(length: Int?) async throws {
        let form = MultipartForm([
            .init(name: "note", text: "ripe"),
            .init(
                name: "photo", filename: "fig.txt", mediaType: "text/plain",
                content: .stream(length: length, Self.pieces(["one ", "two", "", " 3"]))),
        ])
        let sent = try await Self.sent(form)
        #expect(sent.text == Self.wanted(form, "one two 3"))
        #expect(sent.length == length.map { _ in sent.text.utf8.count })
    }

    @Test func q1FilesAreReadAsTheyAreSent() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("fig.txt")
        // More than one piece of a file.
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        try Data(text.utf8).write(to: file)
        let form = MultipartForm([
            .init(name: "note", text: "ripe"),
            try .file(name: "photo", at: file.path, mediaType: "text/plain"),
        ])
        // The same form goes out twice: the file is opened by each call.
        for _ in 1...2 {
            let sent = try await Self.sent(form)
            #expect(sent.text == Self.wanted(form, text) && sent.length == sent.text.utf8.count)
        }
        try FileManager.default.removeItem(at: file)
        await #expect(throws: CallError.self) { try await Self.sent(form) }
        #expect(throws: CallError.self) { try MultipartForm.Part.file(name: "photo", at: file.path) }
        #expect(throws: CallError.self) { try FileBytes(folder.path) }
        #expect(try FileBytes("/proc/self/status").length == nil)
    }

    /// Two wrong lengths would add up to a right one.
    @Test(arguments: [(3, 1, "more than 3"), (1, 3, "more than 1"), (5, 1, "2 bytes")])
    func q1APartHasTheLengthThatItSays(first: Int, second: Int, words: String) async throws {
        let form = MultipartForm([
            .init(
                name: "a", filename: "a", content: .stream(length: first, Self.pieces(first == 3 ? ["1234"] : ["12"]))),
            .init(name: "b", filename: "b", content: .stream(length: second, Self.pieces(["1"]))),
        ])
        let error = await #expect(throws: CallError.self) { try await Self.sent(form) }
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "none")")
    }
}
