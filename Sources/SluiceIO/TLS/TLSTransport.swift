internal import COpenSSL
internal import SluiceHTTP

/// The BIO between OpenSSL and a ``TLSSession``: it reads out of the session's input and writes into its outbox, so
/// that ciphertext is copied once on its way out and not at all on its way in, and an idle connection keeps no buffer
/// (the library's own memory BIO never gives its memory back).
enum TLSTransport {
    /// Made once, then only read: OpenSSL wants one method table per kind of BIO.
    nonisolated(unsafe) private static let method: OpaquePointer = {
        guard let method = BIO_meth_new(copenssl_bio_type(), "sluice") else { preconditionFailure("out of memory") }
        BIO_meth_set_create(method) { bio in
            BIO_set_init(bio, 1)
            return 1
        }
        BIO_meth_set_read(method) { bio, target, capacity in
            guard let bio, let target, capacity > 0 else { return 0 }
            return TLSTransport.read(bio, into: target, capacity: Int(capacity))
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let bytes, count > 0 else { return 0 }
            let session = TLSTransport.session(of: bio)
            session.outgoing.append(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            session.budget.made(Int(count))
            return count
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: return 1
            // Asked after a read of nothing; a yes becomes "unexpected eof".
            case BIO_CTRL_EOF:
                guard let bio else { return 0 }
                let session = TLSTransport.session(of: bio)
                return session.input.isEnded && session.input.count == 0 ? 1 : 0
            default: return 0
            }
        }
        return method
    }()

    /// Lets `ssl` read and write through `session`, which owns it and so outlives it.
    static func attach(_ ssl: OpaquePointer, to session: TLSSession) {
        guard let bio = BIO_new(method) else { preconditionFailure("out of memory") }
        BIO_set_data(bio, Unmanaged.passUnretained(session).toOpaque())
        // One reference serves both directions.
        SSL_set_bio(ssl, bio, bio)
    }

    private static func session(of bio: OpaquePointer) -> TLSSession {
        Unmanaged<TLSSession>.fromOpaque(BIO_get_data(bio)).takeUnretainedValue()
    }

    private static func read(_ bio: OpaquePointer, into target: UnsafeMutableRawPointer, capacity: Int) -> Int32 {
        let session = session(of: bio)
        copenssl_bio_clear_retry(bio)
        let taken = session.input.take(into: target, capacity: capacity)
        if taken > 0 { return Int32(taken) }
        // 0 without the retry flag is the end of the stream.
        if session.input.isEnded { return 0 }
        copenssl_bio_set_retry_read(bio)
        return -1
    }
}
