internal import SluiceIO
internal import SluiceSockets
internal import Glibc

/// Signals as bytes that can be read and waited for beside other things. To be made before there are other threads: it
/// holds the signals back on this one and all that it starts.
struct SignalPipe {
    /// Where each signal's number can be read.
    let descriptor: Int32

    init(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let ends = Pipe.make()
        descriptor = ends.reading
        ServiceThread.run("sluice-signals") {
            var set = sigset_t()
            sigemptyset(&set)
            for number in numbers { sigaddset(&set, number) }
            while true {
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { continue }
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(ends.writing, &byte, 1)
            }
        }
    }

    /// The next one; to be called where there is something to read.
    func take() -> Int32? {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }
}

/// A pipe within this process.
enum Pipe {
    static func make() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("no pipe: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }
}
