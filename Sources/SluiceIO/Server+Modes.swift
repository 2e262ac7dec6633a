internal import SluiceContract
internal import SluiceSockets

/// Permissions of Unix sockets that stay across a reload.
extension Server {
    /// Gives each socket that stays the mode of the new configuration, or none of them. The modes of inherited sockets
    /// are the service manager's.
    static func changeModes(of places: [Listening], from old: [Listening]) throws(StartFailure) {
        var changed: [(path: String, before: Int)] = []
        for place in places where !place.isInherited {
            guard case .unix(let path) = place.listener.address,
                let before = old.first(where: { $0.listener.address == place.listener.address })?.listener.mode,
                before != place.listener.mode
            else { continue }
            let code = Socket.setMode(place.listener.mode, at: path)
            if code != 0 {
                for (path, before) in changed { _ = Socket.setMode(before, at: path) }
                let mode = "0" + String(place.listener.mode, radix: 8)
                throw StartFailure(
                    description: "\(place.listener.address) could not be given the mode \(mode): "
                        + SystemCall.reason(code).lowercased())
            }
            changed.append((path, before))
        }
    }
}
