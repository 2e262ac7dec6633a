internal import COpenSSL
internal import Synchronization

/// Sessions that a client context's connections may resume, whichever loop they run on.
final class TLSTickets: Sendable {
    /// A reference to an SSL_SESSION. Sendable because OpenSSL counts its references atomically and doesn't change a
    /// session once it has been handed out.
    private struct Ticket: @unchecked Sendable {
        let serverName: String
        let session: OpaquePointer
    }

    /// Sessions kept; the oldest goes first. A TLS 1.3 server usually sends two with every connection.
    private static let countMax = 32

    private let tickets = Mutex<[Ticket]>([])

    deinit {
        tickets.withLock { tickets in
            for ticket in tickets { SSL_SESSION_free(ticket.session) }
        }
    }

    /// Keeps `session`, and takes its reference over from the caller.
    func keep(_ session: OpaquePointer, for serverName: String) {
        let ticket = Ticket(serverName: serverName, session: session)
        tickets.withLock { tickets in
            if tickets.count == Self.countMax { SSL_SESSION_free(tickets.removeFirst().session) }
            tickets.append(ticket)
        }
    }

    /// Lets `ssl` try to resume the newest session with `serverName`.
    func resume(_ ssl: OpaquePointer, serverName: String) {
        let ticket = tickets.withLock { tickets -> Ticket? in
            guard let index = tickets.lastIndex(where: { $0.serverName == serverName }) else { return nil }
            let ticket = tickets[index]
            // A TLS 1.3 ticket is for one use, or observers could link the connections (RFC 8446 §C.4); a TLS 1.2
            // session serves again and again.
            if SSL_SESSION_get_protocol_version(ticket.session) >= TLS1_3_VERSION {
                tickets.remove(at: index)
            } else {
                SSL_SESSION_up_ref(ticket.session)
            }
            return ticket
        }
        guard let ticket else { return }
        SSL_set_session(ssl, ticket.session)
        SSL_SESSION_free(ticket.session)
    }
}
