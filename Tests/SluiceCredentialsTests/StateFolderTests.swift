import Glibc
import SluiceContract
import TestFiles
import Testing

@testable import SluiceCredentials

@Suite struct StateFolderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func record(_ token: String, serial: Int = 1, family: UInt64 = 1) -> TokenRecord {
        var record = TokenRecord(family: family, server: "https://a.example/token", clientID: "c")
        record.serial = serial
        record.accessToken = token
        return record
    }

    private func permissions(_ path: String) -> UInt32 {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    @Test func recordsAreKeptClosedToOthers() throws {
        let folder = try StateFolder(directory.file("a/b/state"))
        #expect(try folder.load("fruit") == nil)
        try folder.save(record("one"), of: "fruit")
        try folder.save(record("two"), of: "fruit")
        #expect(try folder.load("fruit") == record("two"))
        #expect(permissions(folder.path) == 0o700 && permissions(folder.file(of: "fruit")) == 0o600)
        try folder.remove("fruit")
        try folder.remove("fruit")
        #expect(try folder.load("fruit") == nil)
    }

    /// 32 bytes or their hexadecimal digits, in lines or not, seal and open the same.
    @Test func theKeyMayBeWrittenInDigits() throws {
        let digits = (0x40..<0x60).map { String($0, radix: 16) }
        try directory.write(digits[..<16].joined() + "\n" + digits[16...].joined() + "\n", to: "digits")
        try directory.write(String(decoding: UInt8(0x40)..<0x60, as: UTF8.self), to: "bytes")
        try directory.write(digits.dropLast().joined() + "zz", to: "wrong")
        func folder(_ key: String) throws -> StateFolder? {
            var configuration = Configuration()
            configuration.state = directory.file("state")
            configuration.stateKey = KeyFile(path: directory.file(key))
            return try StateFolder(of: configuration)
        }
        try folder("digits")?.save(record("one"), of: "fruit")
        #expect(try folder("bytes")?.load("fruit") == record("one"))
        #expect(throws: StateFault.self) { _ = try folder("wrong") }
    }

    /// What nobody will ever read is told from what another key opens.
    @Test(arguments: [true, false]) func damageIsToldFromOtherKeys(isSealed: Bool) throws {
        let key = [UInt8](repeating: 7, count: 32)
        let folder = try StateFolder(directory.file("state"), key: isSealed ? key : nil)
        try folder.prepare()
        func fault() -> StateFault? { #expect(throws: StateFault.self) { try folder.load("fruit") } }
        for text in ["", "{\"version\":1,\"ser"] {
            try directory.write(text, to: "state/fruit.token")
            #expect(fault()?.isDamage == true)
        }
        // It can be replaced.
        try folder.save(record("one"), of: "fruit")
        #expect(try folder.load("fruit") == record("one"))
        let other = try StateFolder(folder.path, key: isSealed ? [UInt8](1...32) : key)
        let foreign = #expect(throws: StateFault.self) { try other.load("fruit") }
        #expect(foreign?.isDamage == false)
    }

    /// Who names no folder shares one with others, whose credentials may have the same names.
    @Test func whatAnotherHasSignedInForStays() throws {
        let folder = try StateFolder("/state", on: SimulatedDisk())
        try folder.save(record("one"), of: "fruit")
        var other = record("theirs")
        other.clientID = "other"
        // A token alone can be had again.
        try folder.save(other, of: "fruit")
        other.refreshToken = "r1"
        try folder.save(other, of: "fruit")
        let fault = #expect(throws: StateFault.self) { try folder.save(record("one"), of: "fruit") }
        #expect(fault?.isForeign == true)
        #expect(fault?.description.contains("client 'other' at https://a.example/token") == true)
        #expect(try folder.load("fruit") == other)
        other.signedOut = "revoked"
        try folder.save(other, of: "fruit")
        try folder.save(record("one"), of: "fruit")
        #expect(try folder.load("fruit") == record("one"))
    }

    /// Before there was a key, records were not sealed: they are read where a person asks, and replaced by none else.
    @Test func aRecordFromBeforeTheKey() throws {
        let (plain, key) = (try StateFolder(directory.file("state")), [UInt8](repeating: 7, count: 32))
        let sealed = try StateFolder(plain.path, key: key)
        var theirs = record("theirs")
        (theirs.clientID, theirs.refreshToken) = ("other", "r1")
        try plain.save(theirs, of: "fruit")
        #expect(throws: StateFault.self) { try sealed.load("fruit") }
        #expect(try sealed.load("fruit", mayBeUnsealed: true) == theirs)
        var client = OAuth2Client()
        (client.tokenURL, client.clientID) = ("https://a.example/token", "c")
        #expect(throws: StateFault.self) { try sealed.makeRoom(for: client, of: "fruit") }
        #expect(throws: StateFault.self) { try sealed.save(record("one"), of: "fruit") }
        client.clientID = "other"
        try sealed.makeRoom(for: client, of: "fruit")
        // What the server has given since is in the file beside it.
        theirs.serial = 2
        try StateFolder(directory.file("beside")).save(theirs, of: "fruit")
        rename(directory.file("beside/fruit.token"), sealed.file(of: "fruit") + ".new")
        #expect(try sealed.lock("fruit") != nil)
        #expect(try sealed.load("fruit", mayBeUnsealed: true) == theirs)
        try sealed.save(theirs, of: "fruit")
        #expect(throws: StateFault.self) { try plain.makeRoom(for: client, of: "fruit") }
    }

    @Test func roomIsLookedForAndLeavesNothing() throws {
        let disk = SimulatedDisk()
        let folder = try StateFolder("/state", on: disk)
        try folder.makeRoom(of: "fruit")
        #expect(try disk.read(folder.file(of: "fruit") + ".room", atMost: 1 << 20) == nil)
        disk.isFull = true
        #expect(throws: StateFault.self) { try folder.makeRoom(of: "fruit") }
    }

    /// What is stored is read again; an answer of 256 KiB fits twice, and its scope once more.
    @Test(arguments: [(3, true), (4, false)]) func longRecords(texts: Int, isKept: Bool) throws {
        let folder = try StateFolder(directory.file("state"), key: [UInt8](repeating: 7, count: 32))
        var long = record("one")
        let text = String(repeating: "t", count: 256 << 10)
        (long.refreshToken, long.previousRefreshToken, long.scope) = (text, text, text)
        if texts > 3 { long.signedOut = text }
        if isKept {
            try folder.save(long, of: "fruit")
            #expect(try folder.load("fruit") == long)
        } else {
            #expect(throws: StateFault.self) { try folder.save(long, of: "fruit") }
            #expect(try folder.load("fruit") == nil)
        }
    }

    @Test func oneHasTheLockAtATime() throws {
        let (one, other) = (try StateFolder(directory.file("state")), try StateFolder(directory.file("state")))
        var lock = try one.lock("fruit")
        #expect(lock != nil)
        #expect(try other.lock("fruit") == nil)
        #expect(try other.lock("herb") != nil)
        lock = nil
        #expect(try other.lock("fruit") != nil)
        _ = lock
    }

    /// A process has died between the rename and the sync; what it has stored is used, and must not vanish.
    @Test func whatIsAboutToBeUsedIsDurable() throws {
        let disk = SimulatedDisk()
        let folder = try StateFolder("/state", on: disk)
        try folder.save(record("one"), of: "fruit")
        disk.interrupt(after: 2)
        #expect(throws: StateFault.self) { try folder.save(record("two"), of: "fruit") }
        #expect(try folder.load("fruit") == record("two"))
        #expect(try folder.lock("fruit") != nil)
        disk.cutPower { _ in 0 }
        #expect(try folder.load("fruit") == record("two"))
    }

    /// A process has died between the write and the rename.
    @Test func whatWasWrittenButNotRenamedIsTakenUp() throws {
        let disk = SimulatedDisk()
        let folder = try StateFolder("/state", on: disk)
        try folder.save(record("one"), of: "fruit")
        disk.interrupt(after: 1)
        #expect(throws: StateFault.self) { try folder.save(record("two", serial: 2), of: "fruit") }
        #expect(try folder.load("fruit") == record("one"))
        #expect(try folder.lock("fruit") != nil)
        #expect(try folder.load("fruit") == record("two", serial: 2))
        // As durable as what was renamed by whoever wrote it.
        disk.cutPower { _ in 0 }
        #expect(try folder.load("fruit") == record("two", serial: 2))
    }

    /// A process whose rename has failed tries once more, and dies after so many steps of that.
    @Test(arguments: 0..<5) func whatWasNotRenamedOutlastsAnotherTry(steps: Int) throws {
        let disk = SimulatedDisk()
        let folder = try StateFolder("/state", on: disk)
        try folder.save(record("one"), of: "fruit")
        disk.interrupt(after: 1)
        #expect(throws: StateFault.self) { try folder.save(record("two", serial: 2), of: "fruit") }
        disk.interrupt(after: steps)
        try? folder.save(record("two", serial: 2), of: "fruit")
        disk.interrupt(after: nil)
        #expect(try folder.lock("fruit") != nil)
        #expect(try folder.load("fruit") == record("two", serial: 2))
    }

    /// Nothing else is left of the sign-in, and its own key opens it.
    @Test(arguments: [true, false]) func whatAnotherKeyHasSealedStaysWhereItIsAlone(isSealed: Bool) throws {
        let other = try StateFolder(directory.file("state"), key: [UInt8](1...32))
        try other.save(record("two"), of: "fruit")
        rename(other.file(of: "fruit"), other.file(of: "fruit") + ".new")
        let folder = try StateFolder(other.path, key: isSealed ? [UInt8](repeating: 7, count: 32) : nil)
        let fault = #expect(throws: StateFault.self) { try folder.lock("fruit") }
        #expect(fault?.description.contains("fruit.token.new' is sealed with another key") == true)
        #expect(throws: StateFault.self) { try folder.save(record("one"), of: "fruit") }
        #expect(try other.lock("fruit") != nil)
        #expect(try other.load("fruit") == record("two"))
    }

    /// What is left over, the serial of what is stored, and whether it takes its place; it never stays where it is.
    @Test(
        arguments: [
            (.whole(serial: 2, family: 1), 1, true), (.whole(serial: 2, family: 1), nil, true),
            (.whole(serial: 1, family: 1), 1, false), (.whole(serial: 3, family: 1), 1, false),
            (.whole(serial: 2, family: 9), 1, false), (.cut, 1, false), (.cut, nil, false), (.open, 1, false),
            (.link, 1, false), (.foreign, 1, false),
        ] as [(Leftover, Int?, Bool)])
    func leftovers(_ leftover: Leftover, stored: Int?, isTaken: Bool) throws {
        for key in [nil, [UInt8](repeating: 7, count: 32)] {
            let folder = try StateFolder(directory.file(key == nil ? "plain" : "sealed"), key: key)
            let other = try StateFolder(directory.file("other"), key: leftover == .foreign ? [UInt8](1...32) : key)
            var next = record("two", serial: 2)
            if case .whole(let serial, let family) = leftover {
                next = record("two", serial: serial, family: UInt64(family))
            }
            try other.save(next, of: "fruit")
            try folder.prepare()
            if let stored { try folder.save(record("one", serial: stored), of: "fruit") }
            let (file, new) = (folder.file(of: "fruit"), folder.file(of: "fruit") + ".new")
            if leftover == .link {
                symlink(other.file(of: "fruit"), new)
            } else {
                rename(other.file(of: "fruit"), new)
            }
            if leftover == .cut { truncate(new, 40) }
            if leftover == .open { chmod(new, 0o644) }
            #expect(try folder.lock("fruit") != nil)
            let loaded = try folder.load("fruit")
            #expect(loaded == (isTaken ? next : stored.map { record("one", serial: $0) }))
            #expect(access(new, F_OK) != 0 && (!isTaken || permissions(file) == 0o600))
            try folder.remove("fruit")
        }
    }

    enum Leftover: Hashable {
        case whole(serial: Int, family: Int)
        case cut, open, link, foreign
    }

    /// Beside a record that nobody can read nothing is lost.
    @Test func whatIsLeftOverBesideADamagedRecordStays() throws {
        let folder = try StateFolder(directory.file("state"))
        try folder.save(record("two", serial: 2), of: "fruit")
        let (file, new) = (folder.file(of: "fruit"), folder.file(of: "fruit") + ".new")
        rename(file, new)
        try directory.write("{}", to: "damaged")
        rename(directory.file("damaged"), file)
        #expect(try folder.lock("fruit") != nil)
        #expect(throws: StateFault.self) { try folder.load("fruit") }
        #expect(access(new, F_OK) == 0)
        // Who signs out forgets both.
        try folder.remove("fruit")
        #expect(try folder.lock("fruit") != nil)
        #expect(try folder.load("fruit") == nil)
    }

    @Test func aFileThatIsOpenToOthersIsRefused() throws {
        let folder = try StateFolder(directory.file("state"))
        try folder.save(record("one"), of: "fruit")
        chmod(folder.file(of: "fruit"), 0o644)
        let fault = #expect(throws: StateFault.self) { try folder.load("fruit") }
        #expect(fault?.description.contains("chmod 600") == true)
    }

    @Test func aFolderThatOthersMayChangeIsRefused() throws {
        let path = directory.file("state")
        mkdir(path, 0o777)
        chmod(path, 0o777)
        let folder = try StateFolder(path)
        let fault = #expect(throws: StateFault.self) { try folder.save(record("one"), of: "fruit") }
        #expect(fault?.description.contains("chmod go-w") == true)
    }

    @Test func aSealedFileOpensWithItsKeyAlone() throws {
        let path = directory.file("state")
        let key = [UInt8](repeating: 7, count: 32)
        let sealed = try StateFolder(path, key: key)
        try sealed.save(record("one"), of: "fruit")
        #expect(try sealed.load("fruit") == record("one"))
        let other = try StateFolder(path, key: [UInt8](repeating: 8, count: 32))
        #expect(throws: StateFault.self) { try other.load("fruit") }
        #expect(throws: StateFault.self) { try other.save(record("two"), of: "fruit") }
        #expect(throws: StateFault.self) { try StateFolder(path).load("fruit") }
        #expect(try sealed.load("fruit") == record("one"))
        #expect(throws: StateFault.self) { try StateFolder(path, key: [1]) }
        // One file in the place of another.
        rename(sealed.file(of: "fruit"), sealed.file(of: "herb"))
        #expect(throws: StateFault.self) { try sealed.load("herb") }
    }

    @Test(
        arguments: [
            (["STATE_DIRECTORY": "/var/lib/sluice:/x", "HOME": "/root"], "/var/lib/sluice"),
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/sluice"), (["HOME": "/h"], "/h/.local/state/sluice"),
            ([:], nil),
        ] as [([String: String], String?)])
    func theUsualFolder(environment: [String: String], path: String?) {
        #expect(StateFolder.usual { environment[$0] } == path)
    }
}
