import Foundation
import SluiceFiles
import TestFiles
import Testing

@Suite struct FileKindTests {
    @Test func tellsWhatAPathLeadsTo() throws {
        let directory = try TemporaryDirectory()
        try directory.write("four", to: "file")
        directory.file("pipe").withCString { #expect(mkfifo($0, 0o600) == 0) }
        try directory.link("link", to: directory.file("pipe"))
        #expect(FileKind(path: directory.file("file")) == .file(bytes: 4))
        #expect(FileKind(path: directory.path) == .folder)
        #expect(FileKind(path: directory.file("pipe")) == .other)
        #expect(FileKind(path: directory.file("link")) == .other)
        #expect(FileKind(path: directory.file("none")) == nil)
    }
}
