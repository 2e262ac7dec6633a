internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// A recorded answer as it is replayed: its dates are moved to now, so that it is as fresh as it was when recorded (RFC
/// 9111 §4.2).
struct RecordedAnswer {
    private let exchange: RecordedExchange

    init(_ exchange: RecordedExchange) {
        self.exchange = exchange
    }

    /// - Parameter now: seconds since 1970.
    func message(now: Int) -> StandIn.Message {
        let date = exchange.fields.first { $0.name.lowercased() == "date" }.flatMap { Self.seconds($0.value, now) }
        let shift = now - (date ?? Int(exchange.at / 1000))
        let fields = exchange.fields.map { field -> (name: String, value: String) in
            guard ["date", "expires"].contains(field.name.lowercased()), let time = Self.seconds(field.value, now)
            else { return (field.name, field.value) }
            return (field.name, Self.text(min(max(time + shift, 0), Self.secondsMax)))
        }
        return StandIn.Message(status: exchange.status, fields: fields, body: exchange.body)
    }

    /// The last second that a date can express (RFC 9110 §5.6.7): its year has four digits.
    private static let secondsMax = 253_402_300_799

    private static func seconds(_ text: String, _ now: Int) -> Int? {
        Array(text.utf8).withUnsafeBytes { HTTPDate.parse($0, now: now) }
    }

    private static func text(_ seconds: Int) -> String {
        String(unsafeUninitializedCapacity: HTTPDate.byteCount) { buffer in
            HTTPDate.write(seconds, into: UnsafeMutableRawBufferPointer(buffer))
            return HTTPDate.byteCount
        }
    }
}
