import Foundation
import SluiceContract
import SluiceFiles
import TestFiles
import Testing

@Suite struct TokenReaderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func read(_ name: String, credentialsDirectory: String? = nil) throws(TokenFileError) -> String {
        try TokenReader.read(path: directory.file(name), credentialsDirectory: credentialsDirectory)
    }

    @Test(arguments: [
        ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n\n", "secret"), ("~a.b-c_d+e/f==", "~a.b-c_d+e/f=="),
        (" \tsecret \n", "secret"),
    ])
    func trimsLineEnds(content: String, token: String) throws {
        try directory.write(content, to: "token")
        #expect(try read("token") == token)
    }

    @Test func longestToken() throws {
        let token = String(repeating: "a", count: TokenText.bytesMax)
        try directory.write(token, to: "token")
        #expect(try read("token") == token)
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), (" \t\r\n", "is empty"),
        ("a b", "holds a blank, a control character or a non-ASCII character at byte 1"),
        ("ab\u{0}", "holds a blank, a control character or a non-ASCII character at byte 2"),
        ("a\nb", "holds a blank, a control character or a non-ASCII character at byte 1"),
        ("é", "holds a blank, a control character or a non-ASCII character at byte 0"),
        (String(repeating: "a", count: (16 << 10) + 1), "is longer than 16384 bytes"),
    ])
    func refusesContent(content: String, reason: String) throws {
        try directory.write(content, to: "token")
        let expected = TokenFileError(path: directory.file("token"), reason: reason)
        #expect(throws: expected) { try read("token") }
    }

    @Test func refusesWhatIsNoFile() throws {
        #expect(throws: TokenFileError(path: directory.file("none"), reason: "No such file or directory")) {
            try read("none")
        }
        #expect(throws: TokenFileError(path: directory.file("."), reason: "is not a regular file")) { try read(".") }
        #expect(mkfifo(directory.file("fifo"), 0o600) == 0)
        #expect(throws: TokenFileError(path: directory.file("fifo"), reason: "is not a regular file")) {
            try read("fifo")
        }
    }

    @Test(
        arguments: [
            (0o600, nil), (0o400, nil), (0o640, nil), (0o620, "written by others"), (0o660, "written by others"),
            (0o602, "written by others"), (0o666, "written by others"),
        ] as [(Int, String?)])
    func permissions(mode: Int, objection: String?) throws {
        try directory.write("secret", to: "token", mode: mode)
        if let objection {
            let error = #expect(throws: TokenFileError.self) { try read("token") }
            #expect(error?.reason.contains(objection) == true)
        } else {
            #expect(try read("token") == "secret")
        }
        // The service manager's directory is closed as a whole.
        #expect(try read("token", credentialsDirectory: directory.path) == "secret")
        #expect(try read("token", credentialsDirectory: directory.path + "/") == "secret")
    }

    @Test func noWayAroundThroughTheCredentialsDirectory() throws {
        try directory.makeDirectory("credentials")
        try directory.write("secret", to: "token", mode: 0o660)
        for path in ["credentials/../token", "credentials-not/../token"] {
            #expect(throws: TokenFileError.self) {
                try read(path, credentialsDirectory: directory.file("credentials"))
            }
        }
    }
}
