/// How far a fetch has come in getting a carrier for its request: a connection of its own, or a stream of a shared one.
enum CarrierState {
    /// The fetch has not asked for a carrier yet, or has given it back: the answer has arrived completely.
    case none
    /// In the queue of its endpoint.
    case queued
    /// A connection is being opened for it.
    case connecting(UpstreamLink)
    /// The carrier takes the request and brings the answer.
    case carried(UpstreamCarrier)
    /// The next attempt waits for its time. Bytes that still arrive over the last attempt's carrier are read and
    /// dropped.
    case waiting(UpstreamCarrier?)
    /// The fetch waits for its credential. Bytes that still arrive over the last attempt's carrier are dropped.
    case awaitingCredential(UpstreamCarrier?)

    /// The carrier of this attempt.
    var carrier: UpstreamCarrier? {
        if case .carried(let carrier) = self { return carrier }
        return nil
    }

    /// Whether a queue or a link still names the fetch, and will hand it a carrier.
    var awaitsCarrier: Bool {
        switch self {
        case .queued, .connecting: true
        case .none, .carried, .waiting, .awaitingCredential: false
        }
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

    /// Whether arriving bytes are dropped.
    var isWaiting: Bool {
        switch self {
        case .waiting, .awaitingCredential: true
        case .none, .queued, .connecting, .carried: false
        }
    }
}
