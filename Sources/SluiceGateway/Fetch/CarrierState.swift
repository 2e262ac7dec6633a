/// How far a fetch has come on its way to what carries its request: a connection of its own, or a stream of a shared
/// one.
enum CarrierState {
    /// It has asked for none yet, or has given it back: the answer has arrived whole.
    case none
    /// In the queue of its endpoint.
    case queued
    /// A connection is made for it.
    case connecting(UpstreamLink)
    /// The request is on it, and the answer comes over it.
    case carried(UpstreamCarrier)
    /// The next attempt waits for its time. What still comes over the carrier of the last one is read and dropped.
    case waiting(UpstreamCarrier?)
    /// The credential is on its way. What still comes over the carrier of the last attempt is dropped.
    case awaitingCredential(UpstreamCarrier?)

    /// What carries this attempt.
    var carrier: UpstreamCarrier? {
        if case .carried(let carrier) = self { return carrier }
        return nil
    }

    /// The carrier is lost, or has been given back.
    mutating func carrierLeft() {
        switch self {
        case .waiting: self = .waiting(nil)
        case .awaitingCredential: self = .awaitingCredential(nil)
        case .none, .queued, .connecting, .carried: self = .none
        }
    }

    /// The next attempt has to wait: for its time, or for its credential.
    mutating func wait(forCredential: Bool = false) {
        self = forCredential ? .awaitingCredential(carrier) : .waiting(carrier)
    }

    /// Whether nothing is made of what still comes.
    var isWaiting: Bool {
        switch self {
        case .waiting, .awaitingCredential: true
        case .none, .queued, .connecting, .carried: false
        }
    }
}
