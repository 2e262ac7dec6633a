public import SluiceContract
internal import SluiceSockets

extension Server {
    /// Why a daemon could not listen there if it were started now; nil where it could. Opens the address for a moment.
    public static func probe(_ listener: Listener) -> StartFailure? {
        Socket.probe(listener).map { StartFailure(description: "\($0)", isInUse: $0.isInUse) }
    }
}
