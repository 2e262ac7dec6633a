internal import Logging
internal import SluiceContract
internal import SluiceSockets
internal import Synchronization

/// Permissions of Unix sockets that stay across a reload. While some loops judge clients by the old rules yet, a socket
/// has those that the old and the new configuration agree on. The modes of inherited sockets are the service manager's.
extension Server {
    /// Gives sockets all permissions of the new configuration, once every loop has taken its rules.
    func widenModes(of places: [Listening], _ mailboxes: [Mailbox]) {
        let due = places.filter { $0.mode != $0.listener.mode }
        if due.isEmpty { return }
        let number = state.withLock { $0.modesNumber }
        afterLoops(mailboxes) { [self] in
            for place in due { widenMode(of: place, number) }
        }
    }

    private func widenMode(of place: Listening, _ number: Int) {
        let code: Int32 = state.withLock { $0.modesNumber == number ? $0.widenMode(of: place) : 0 }
        if code == 0 { return }
        logger.warning(
            "a socket was not given its new mode",
            metadata: ["socket": "\(place.listener.address)", "reason": "\(SocketFile.reason(code))"])
    }
}

extension Server.State {
    /// Takes from each socket that stays the permissions that it has no longer, or from none of them.
    /// - Parameter places: those of the new configuration; told which modes they have.
    mutating func narrowModes(of places: inout [Server.Listening]) throws(Server.StartFailure) {
        var narrowed: [(file: SocketFile, before: Int)] = []
        for index in places.indices {
            let listener = places[index].listener
            guard let file = places[index].file,
                let before = listening.first(where: { $0.listener.address == listener.address })?.mode,
                before != listener.mode
            else { continue }
            // Also where nothing is taken: a socket that cannot be given its mode is found before anything changes.
            let code = file.setMode(before & listener.mode)
            if code != 0 {
                for (file, before) in narrowed { _ = file.setMode(before) }
                let mode = "0" + String(listener.mode, radix: 8)
                throw Server.StartFailure(
                    description: "\(listener.address) could not be given the mode \(mode): \(SocketFile.reason(code))")
            }
            narrowed.append((file, before))
            places[index].mode = before & listener.mode
        }
        modesNumber += 1
    }

    /// - Returns: errno, or 0.
    fileprivate mutating func widenMode(of place: Server.Listening) -> Int32 {
        guard let file = place.file,
            let index = listening.firstIndex(where: { $0.listener.address == place.listener.address })
        else { return 0 }
        let code = file.setMode(place.listener.mode)
        if code == 0 { listening[index].mode = place.listener.mode }
        return code
    }
}
