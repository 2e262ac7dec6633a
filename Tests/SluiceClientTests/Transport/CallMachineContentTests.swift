import SluiceHTTP
import Testing

@testable import SluiceClient

/// The content of requests, and how much waits on either side.
@Suite struct CallMachineContentTests {
    private static func machine(_ body: CallBody, bufferedBytes: Int = 16) throws -> CallMachine {
        var limits = TransportLimits()
        limits.bufferedBytes = bufferedBytes
        var machine = CallMachine(limits: limits)
        machine.begin(try CallMachineTests.call(CallRequest("POST", "/a", body: body)))
        return machine
    }

    private static func stream(_ length: Int?) -> CallBody {
        .stream(length: length, AsyncThrowingStream<[UInt8], any Error> { $0.finish() })
    }

    /// Writes everything that is there, and returns it.
    private static func written(_ machine: inout CallMachine) -> String {
        var text = ""
        while !machine.outbox.isEmpty {
            let run = machine.outbox.firstRun
            text += String(decoding: run, as: UTF8.self)
            machine.sent(run.count)
        }
        return text
    }

    private static func answer(_ machine: inout CallMachine, _ text: String) {
        Array(text.utf8).withUnsafeBytes { machine.received($0) }
    }

    private static let head = "POST /a HTTP/1.1\r\nHost: localhost\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test func wholeBodiesAreHandedOverInPieces() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
        var machine = try Self.machine(.bytes(bytes))
        _ = machine.outbox.count
        check(machine.outbox.count < 200)
        let text = Self.written(&machine)
        #expect(text == Self.head + "Content-Length: 1000\r\n\r\n" + String(decoding: bytes, as: UTF8.self))
        Self.answer(&machine, Self.ok)
        _ = machine.takeHead()
        check(machine.life == .free)
    }

    @Test func streamedBodiesGoInChunks() throws {
        var machine = try Self.machine(Self.stream(nil))
        machine.append(content: Array("abc".utf8))
        machine.append(content: [])
        machine.append(content: Array("0123456789abcdef".utf8))
        check(machine.appetite == .later)
        machine.endContent()
        let text = Self.written(&machine)
        #expect(
            text == Self.head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n")
        check(machine.appetite == .now)
    }

    @Test func streamedBodiesWithALength() throws {
        var machine = try Self.machine(Self.stream(5))
        machine.append(content: Array("abc".utf8))
        machine.append(content: Array("de".utf8))
        machine.endContent()
        #expect(Self.written(&machine) == Self.head + "Content-Length: 5\r\n\r\nabcde")
        Self.answer(&machine, Self.ok)
        _ = machine.takeHead()
        check(machine.life == .free)
    }

    @Test(arguments: [("abcdef", "more bytes than its length"), ("ab", "ended 3 bytes before its length")])
    func aLengthHasToBeTrue(_ content: String, _ complaint: String) throws {
        var machine = try Self.machine(Self.stream(5))
        machine.append(content: Array(content.utf8))
        machine.endContent()
        guard case .failed(.transport(.badRequest(let reason))) = machine.takeHead() else {
            Issue.record("no failure")
            return
        }
        #expect(reason.contains(complaint))
        check(machine.life == .spent)
    }

    /// RFC 9112 §9.5: the connection is of no more use, the answer is.
    @Test func anAnswerThatComesBeforeTheRequestHasEnded() throws {
        var machine = try Self.machine(Self.stream(nil))
        _ = Self.written(&machine)
        machine.append(content: [1])
        Self.answer(&machine, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        guard case .answer(413, _, _, isWhole: true) = machine.takeHead() else {
            Issue.record("no answer")
            return
        }
        check(machine.life == .spent)
        check(machine.outbox.isEmpty)
    }

    /// The gateway may have said why before it closed.
    @Test(arguments: [true, false])
    func whenNothingCanBeWrittenTheAnswerIsStillRead(hasAnswer: Bool) throws {
        var machine = try Self.machine(.bytes([UInt8](repeating: 1, count: 100)))
        machine.sent(1)
        machine.outputFailed()
        check(machine.outbox.isEmpty && machine.wantsInput)
        if hasAnswer { Self.answer(&machine, Self.ok) }
        machine.inputClosed(isTruncated: true)
        switch machine.takeHead() {
        case .answer(200, _, _, isWhole: true): #expect(hasAnswer)
        case .failed(.transport(.connectionLost)): #expect(!hasAnswer)
        default: Issue.record("neither answer nor failure")
        }
        check(machine.life == .spent)
    }

    /// Neither is the rest of the content asked for, nor is it missed.
    @Test(arguments: [3, 5, nil])
    func whenNothingCanBeWrittenTheContentIsLeft(length: Int?) throws {
        var machine = try Self.machine(Self.stream(length))
        _ = Self.written(&machine)
        machine.append(content: [1, 2, 3])
        machine.outputFailed()
        check(machine.appetite == .never)
        machine.append(content: [4, 5])
        machine.endContent()
        check(machine.outbox.isEmpty)
        Self.answer(&machine, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        guard case .answer(413, _, _, isWhole: true) = machine.takeHead() else {
            Issue.record("no answer")
            return
        }
        check(machine.life == .spent)
    }

    @Test func anAnswerThatNobodyTakesHoldsTheGatewayUp() throws {
        var machine = try Self.machine(.none)
        _ = Self.written(&machine)
        Self.answer(&machine, "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")
        _ = machine.takeHead()
        Self.answer(&machine, "0123456789")
        check(machine.wantsInput)
        Self.answer(&machine, "0123456789")
        check(!machine.wantsInput)
        guard case .bytes(let bytes, isLast: false) = machine.takeContent() else {
            Issue.record("no content")
            return
        }
        #expect(bytes.count == 20)
        check(machine.wantsInput)
        Self.answer(&machine, "01234567890123456789")
        check(machine.life == .busy)
        guard case .bytes(_, isLast: true) = machine.takeContent() else {
            Issue.record("no end")
            return
        }
        check(machine.life == .free)
    }

    /// What has come before a failure is still taken.
    @Test func contentBeforeAFailure() throws {
        var machine = try Self.machine(.none)
        _ = Self.written(&machine)
        Self.answer(&machine, "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")
        _ = machine.takeHead()
        Self.answer(&machine, "abc")
        machine.fail(.cancelled)
        check(machine.isOver && !machine.wantsInput)
        guard case .bytes(_, isLast: false) = machine.takeContent(), case .failed(.cancelled) = machine.takeContent()
        else {
            Issue.record("no content, or no failure")
            return
        }
        check(machine.life == .spent)
    }

    /// The macro cannot look into what is not copyable.
    private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isSo, sourceLocation: location)
    }
}
