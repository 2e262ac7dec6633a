import Foundation
import Logging
import SluiceFiles
import Testing
import TestFiles

@testable import SluiceIO

@Suite struct TokenFileTests {
    private let directory: TemporaryDirectory
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func deliversEveryNewToken() async throws {
        try directory.write("one", to: "token")
        let tokens = Inbox<String>()
        let file = try TokenFile(
            path: directory.file("token"), credentialsDirectory: nil, watcher: FileWatcher(pollSeconds: 3600),
            logger: logger
        ) { tokens.put($0) }
        #expect(await tokens.take() == "one")
        try directory.write("two", to: "token")
        #expect(await tokens.take() == "two")
        // Neither spoiling nor vanishing delivers anything; what comes after does.
        try directory.write("", to: "token")
        try directory.remove("token")
        try directory.write("three", to: "token")
        #expect(await tokens.take() == "three")
        try Data("four".utf8).write(to: URL(fileURLWithPath: directory.file("token")))
        #expect(await tokens.take() == "four")
        withExtendedLifetime(file) {}
    }

    @Test func needsATokenToBeginWith() throws {
        #expect(throws: TokenFileError.self) {
            _ = try TokenFile(
                path: directory.file("token"), credentialsDirectory: nil, watcher: FileWatcher(), logger: logger
            ) { _ in }
        }
    }
}
