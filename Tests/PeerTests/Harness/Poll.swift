import Foundation

/// Waiting for another process without guessing how long it takes.
enum Poll {
    /// Asks until there is an answer.
    @discardableResult
    static func until<Value>(_ what: String, _ question: () throws -> Value?) throws -> Value {
        let deadline = Date().addingTimeInterval(TimeInterval(Patience.seconds))
        while Date() < deadline {
            if let value = try question() { return value }
            usleep(2000)
        }
        throw HarnessError("waited \(Patience.seconds) s in vain until \(what)")
    }

    /// Asks until the answer is yes.
    static func until(_ what: String, holds question: () throws -> Bool) throws {
        try until(what) { try question() ? true : nil }
    }
}
