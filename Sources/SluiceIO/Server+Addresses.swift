internal import SluiceContract
internal import SluiceSockets
internal import Synchronization

/// Where it listens.
extension Server {
    /// The addresses that clients find, as sockets know them: a port 0 has become a real one.
    public var addresses: [String] { places { $0 == .bindings } }

    /// The addresses at which metrics and health are told.
    public var monitorAddresses: [String] { places { $0 == .monitoring } }

    private func places(where isMeant: (Listener.Purpose) -> Bool) -> [String] {
        state.withLock { state in
            state.listening.filter { isMeant($0.listener.purpose) }.map { place in
                guard let address = SocketAddress(localOf: place.descriptors[0]) else {
                    return "\(place.listener.address)"
                }
                return "\(address)"
            }
        }
    }
}
