internal import SluiceContract
internal import SluiceGateway

/// Finished requests of all loops, for clients of the admin socket: as they happen, and the latest ones. Stays across a
/// reload.
struct RequestWatch {
    private let feed = RequestFeed { AccessLine.append($0, at: Timestamp.now(), query: .masked, to: &$1) }
    private let inspections = InspectionRing { Timestamp.now() }
    /// Records all exchanges with upstreams (`sluice record`).
    let recorder: ExchangeRecorder?

    init(_ recorder: ExchangeRecorder?) {
        self.recorder = recorder
    }

    func attach(to gateway: Gateway) {
        gateway.requestFeed = feed
        gateway.inspections = inspections
        if let recorder { gateway.recorder = recorder }
    }
}
