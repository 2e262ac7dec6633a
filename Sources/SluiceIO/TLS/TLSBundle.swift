internal import COpenSSL
internal import Synchronization

/// A file of authorities that is read when a certificate asks for an authority that nothing before it has.
///
/// A system's bundle takes 20 ms and a megabyte to read; where a directory of hashed names answers first, as it does
/// wherever both are configured, nobody pays for that.
final class TLSBundle: Sendable {
    private let path: String
    private let isLoaded = Mutex(false)

    /// Made once, then only read.
    nonisolated(unsafe) private static let method: OpaquePointer = {
        guard let method = X509_LOOKUP_meth_new("authorities read late") else { preconditionFailure("out of memory") }
        X509_LOOKUP_meth_set_free(method) { lookup in
            guard let data = X509_LOOKUP_get_method_data(lookup) else { return }
            Unmanaged<TLSBundle>.fromOpaque(data).release()
        }
        X509_LOOKUP_meth_set_get_by_subject(method) { lookup, type, name, result in
            guard let lookup, let data = X509_LOOKUP_get_method_data(lookup), type == X509_LU_X509 else { return 0 }
            let bundle = Unmanaged<TLSBundle>.fromOpaque(data).takeUnretainedValue()
            return bundle.find(name, in: X509_LOOKUP_get_store(lookup), result) ? 1 : 0
        }
        return method
    }()

    /// Adds the authorities in the PEM file at `path` to `context`, behind what was added before.
    static func add(_ path: String, to context: OpaquePointer) {
        guard let lookup = X509_STORE_add_lookup(SSL_CTX_get_cert_store(context), method) else {
            preconditionFailure("out of memory")
        }
        X509_LOOKUP_set_method_data(lookup, Unmanaged.passRetained(TLSBundle(path: path)).toOpaque())
    }

    private init(path: String) {
        self.path = path
    }

    /// Called by whichever loop verifies a certificate, without the store's lock.
    private func find(_ name: OpaquePointer?, in store: OpaquePointer?, _ result: OpaquePointer?) -> Bool {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        isLoaded.withLock { isLoaded in
            // Into the store itself, which from then on answers without asking us.
            if !isLoaded { X509_STORE_load_file(store, path) }
            isLoaded = true
        }
        X509_STORE_lock(store)
        defer { X509_STORE_unlock(store) }
        let object = X509_OBJECT_retrieve_by_subject(X509_STORE_get0_objects(store), X509_LU_X509, name)
        guard let object, let certificate = X509_OBJECT_get0_X509(object) else { return false }
        X509_OBJECT_set1_X509(result, certificate)
        // The caller takes a reference of its own and never drops this one; the store keeps the certificate alive.
        X509_free(certificate)
        return true
    }
}
