import Glibc
import SluiceSockets
import Synchronization
import Testing

@testable import SluiceIO

@Suite struct MailboxTests {
    /// What was done on the loop, in its order.
    private final class Diary: Sendable {
        private let entries = Mutex<[Int]>([])
        func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
        var all: [Int] { entries.withLock { $0 } }
        var count: Int { entries.withLock { $0.count } }
    }

    /// - Parameter milliseconds: how long to wait for it.
    private func isReadable(_ mailbox: Mailbox, within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    @Test func messagesKeepTheirOrder() throws {
        let bench = try LoopBench()
        let mailbox = Mailbox()
        let diary = Diary()
        for number in 0..<100 {
            if number.isMultiple(of: 3) {
                #expect(mailbox.offer { _ in diary.note(number) })
            } else {
                mailbox.post { _ in diary.note(number) }
            }
        }
        for message in mailbox.collect() { message(bench.loop) }
        #expect(diary.all == Array(0..<100))
        #expect(mailbox.collect().isEmpty)
    }

    /// A loop that is stuck is offered nothing more; what somebody waits for reaches it all the same.
    @Test func offersAreRefusedWhereTheQueueIsLong() {
        let mailbox = Mailbox()
        var taken = 0
        for _ in 0..<Mailbox.offersMax where mailbox.offer({ _ in }) { taken += 1 }
        #expect(taken == Mailbox.offersMax)
        #expect(!mailbox.offer { _ in })
        mailbox.post { _ in }
        #expect(!mailbox.offer { _ in })
        #expect(mailbox.collect().count == Mailbox.offersMax + 1)
        #expect(mailbox.offer { _ in })
        #expect(mailbox.collect().count == 1)
    }

    /// What is posted counts as well: the queue is as long, whoever made it so.
    @Test func postsLeaveNoRoomForOffers() {
        let mailbox = Mailbox()
        for _ in 1..<Mailbox.offersMax { mailbox.post { _ in } }
        #expect(mailbox.offer { _ in })
        #expect(!mailbox.offer { _ in })
    }

    @Test func theDescriptorIsReadableWhileThereAreMessages() {
        let mailbox = Mailbox()
        #expect(!isReadable(mailbox))
        // Collecting nothing does not block.
        #expect(mailbox.collect().isEmpty)
        mailbox.post { _ in }
        mailbox.post { _ in }
        #expect(isReadable(mailbox))
        #expect(mailbox.collect().count == 2)
        #expect(!isReadable(mailbox))
        #expect(mailbox.offer { _ in })
        #expect(isReadable(mailbox))
        #expect(mailbox.collect().count == 1)
        #expect(!isReadable(mailbox))
    }

    /// Nothing is lost, nothing stays without a wake, and what one thread posts keeps its order.
    @Test func severalThreadsPost() throws {
        let bench = try LoopBench()
        let mailbox = Mailbox()
        let diary = Diary()
        let (threads, each) = (4, 5000)
        for thread in 0..<threads {
            ServiceThread.run("test-post-\(thread)") {
                for number in 0..<each { mailbox.post { _ in diary.note(thread * each + number) } }
            }
        }
        while diary.count < threads * each, isReadable(mailbox, within: 10_000) {
            for message in mailbox.collect() { message(bench.loop) }
        }
        let all = diary.all
        #expect(all.count == threads * each)
        for thread in 0..<threads {
            #expect(all.filter { $0 / each == thread } == Array(thread * each..<(thread + 1) * each))
        }
    }

    /// The loop itself does what arrives, also what a message posts in its turn.
    @Test func theLoopDoesWhatArrives() throws {
        let bench = try LoopBench()
        let diary = Diary()
        for number in 0..<3 {
            bench.loop.mailbox.post { loop in
                diary.note(number)
                loop.mailbox.post { _ in diary.note(10 + number) }
            }
        }
        #expect(bench.turn { diary.count == 6 })
        #expect(diary.all == [0, 1, 2, 10, 11, 12])
    }
}
