internal import SluiceContract
internal import SluiceGateway

/// Finished requests of all loops, for those who look at them at the admin socket: as they happen, and the last ones.
/// Stays across a reload.
struct RequestWatch {
    private let feed = RequestFeed { AccessLine.append($0, at: Timestamp.now(), query: .masked, to: &$1) }
    private let inspections = InspectionRing { Timestamp.now() }

    func attach(to gateway: Gateway) {
        gateway.requestFeed = feed
        gateway.inspections = inspections
    }
}
