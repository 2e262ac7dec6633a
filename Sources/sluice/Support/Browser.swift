#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The browser of the desktop, where there is one.
enum Browser {
    /// Whether there is a desktop that could open something.
    static var isThere: Bool { getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil }

    /// The desktop's program for addresses opens `address`; where that fails, it is on the screen.
    static func open(_ address: String) {
        guard isThere else { return }
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address)]
        defer { for word in words { free(word) } }
        _ = posix_spawnp(&process, "xdg-open", nil, nil, words + [nil], environ)
    }
}
