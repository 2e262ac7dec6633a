import Foundation
import TestFiles
import Testing

@testable import SluiceIO

/// The poll is an hour away in all but the last test, so every call comes from an event.
@Suite struct FileWatcherTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func watch(_ name: String, with watcher: FileWatcher) -> (Inbox<Bool>, FileWatcher.Watch) {
        let inbox = Inbox<Bool>()
        let path = directory.file(name)
        return (inbox, watcher.watch(path) { inbox.put(access(path, F_OK) == 0) })
    }

    @Test func appearingChangingVanishing() async throws {
        let watcher = FileWatcher(pollSeconds: 3600)
        let (exists, _) = watch("file", with: watcher)
        try directory.write("a", to: "file")
        #expect(await exists.take() == true)
        try directory.write("b", to: "file")
        #expect(await exists.take() == true)
        chmod(directory.file("file"), 0o400)
        #expect(await exists.take() == true)
        try directory.remove("file")
        #expect(await exists.take() == false)
    }

    /// As the kubelet does it: `token` leads to `..data/token`, and `..data` is swapped as a whole.
    @Test func swappedLinks() async throws {
        for version in ["..v1", "..v2", "..v3"] {
            try directory.makeDirectory(version)
            try directory.write(version, to: "\(version)/token")
        }
        try directory.link("..data", to: "..v1")
        try directory.link("token", to: "..data/token")
        let watcher = FileWatcher(pollSeconds: 3600)
        let (changes, _) = watch("token", with: watcher)
        for version in ["..v2", "..v3"] {
            try directory.link("..data", to: version)
            #expect(await changes.take() == true)
        }
    }

    /// A link into another directory: the change happens there.
    @Test func changesBehindALink() async throws {
        try directory.makeDirectory("elsewhere")
        try directory.write("a", to: "elsewhere/real")
        try directory.link("file", to: "elsewhere/real")
        let watcher = FileWatcher(pollSeconds: 3600)
        let (changes, _) = watch("file", with: watcher)
        try directory.write("bc", to: "elsewhere/real")
        #expect(await changes.take() == true)
    }

    @Test func otherFilesDoNotMatter() async throws {
        try directory.write("a", to: "file")
        let watcher = FileWatcher(pollSeconds: 3600)
        let (changes, watch) = watch("file", with: watcher)
        let (others, _) = self.watch("other", with: watcher)
        try directory.write("b", to: "other")
        #expect(await others.take() == true)
        watcher.stop(watch)
        try directory.write("bc", to: "file")
        try directory.write("bcd", to: "other")
        #expect(await others.take() == true)
        // Checked in the same round as `other`, and before it: anything would have come.
        changes.put(false)
        #expect(await changes.take() == false)
    }

    /// A directory that doesn't exist yet has nothing to watch.
    @Test func thePollFindsTheRest() async throws {
        let watcher = FileWatcher(pollSeconds: 1)
        let (exists, _) = watch("later/file", with: watcher)
        try directory.makeDirectory("later")
        try directory.write("a", to: "later/file")
        #expect(await exists.take() == true)
    }
}
