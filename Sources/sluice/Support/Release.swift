internal import COpenSSL
internal import SluiceJSON

/// What this binary is.
enum Release {
    static let version = "0.1.0"

    /// All of it, for people.
    static var text: String {
        """
        sluice \(version)
        Swift \(compiler), \(build) build for \(architecture) with \(library)
        \(openSSL)
        JSON with \(VectorSet.name) vectors
        """
    }

    static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86-64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another architecture"
        #endif
    }

    static var library: String {
        #if canImport(Glibc)
            "glibc"
        #else
            "musl"
        #endif
    }

    /// The library that runs, which may be newer than the one that was built against.
    static var openSSL: String {
        OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "OpenSSL"
    }
}
