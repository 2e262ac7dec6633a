/// A statement that is signed here (RFC 7523 §3).
struct Assertion {
    var issuer: String
    var subject: String
    var audience: String
    var keyID: String?

    func signed(by key: [UInt8], at moment: Moment) throws(RequestFault) -> String {
        throw RequestFault("keys cannot be used yet")
    }
}
