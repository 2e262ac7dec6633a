internal import COpenSSL
internal import Glibc

/// The certificate authorities that a client trusts.
enum TLSTrust {
    /// What replaces the system's authorities, as in every program built on OpenSSL.
    struct Override {
        /// A PEM file (`SSL_CERT_FILE`).
        var file: String?
        /// Directories of hashed names, separated by colons (`SSL_CERT_DIR`).
        var directory: String?

        static var environment: Override {
            Override(file: variable("SSL_CERT_FILE"), directory: variable("SSL_CERT_DIR"))
        }

        private static func variable(_ name: String) -> String? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return String(cString: value)
        }
    }

    /// Adds the system's authorities, as a directory of hashed names wherever there is one: OpenSSL then reads the one
    /// certificate that a chain asks for. A bundle is read whole, which takes 20 ms: off the loops
    /// (``DialingServices``).
    static func addSystemAuthorities(to context: OpaquePointer, override: Override) throws(TLSError) {
        if let directory = override.directory { SSL_CTX_load_verify_dir(context, directory) }
        if let file = override.file {
            guard access(file, R_OK) == 0 else { throw .file(path: file, reason: String(cString: strerror(errno))) }
            try addAuthorities(from: file, to: context)
        } else if override.directory == nil {
            if let directory = systemDirectories.first(where: isHashed) {
                SSL_CTX_load_verify_dir(context, directory)
            } else if let bundle = systemBundles.first(where: { access($0, R_OK) == 0 }) {
                try addAuthorities(from: bundle, to: context)
            }
        }
        ERR_clear_error()
    }

    /// Adds the authorities in the PEM file at `path`.
    static func addAuthorities(from path: String, to context: OpaquePointer) throws(TLSError) {
        ERR_clear_error()
        guard SSL_CTX_load_verify_file(context, path) == 1 else { throw .takeLast(path: path) }
    }

    /// OpenSSL's own place, which in a static build is where it was built for, then where distributions keep them.
    private static var systemDirectories: [String] {
        [String(cString: X509_get_default_cert_dir()), "/etc/ssl/certs", "/etc/pki/tls/certs"]
    }

    private static var systemBundles: [String] {
        [
            String(cString: X509_get_default_cert_file()), "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ]
    }

    /// Whether the directory holds names like `5ed36f99.0`, as `openssl rehash` makes them.
    static func isHashed(_ directory: String) -> Bool {
        guard let stream = opendir(directory) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isHash = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.count > 9 && name[8] == UInt8(ascii: ".") && name[9] == UInt8(ascii: "0")
                    && name[..<8].allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            }
            if isHash { return true }
        }
        return false
    }
}
