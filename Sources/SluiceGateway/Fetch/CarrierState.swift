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

    /// What carries this attempt.
    var carrier: UpstreamCarrier? {
        if case .carried(let carrier) = self { return carrier }
        return nil
    }

    /// The carrier is lost, or has been given back.
    mutating func carrierLeft() {
        if case .waiting = self { self = .waiting(nil) } else { self = .none }
    }

    /// The next attempt has to wait for its time.
    mutating func wait() { self = .waiting(carrier) }
}
