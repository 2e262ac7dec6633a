import Dispatch

/// What somebody types, line by line. Reading waits on a thread of Dispatch's, not on one that tasks need.
enum Keys {
    static var typed: AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue.global().async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
