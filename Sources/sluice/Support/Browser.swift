internal import Glibc

/// The browser of the desktop, where there is one.
enum Browser {
    /// Whether there is a desktop that could open something.
    static var isThere: Bool { getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil }

    /// Opens `address` with the desktop's program; if that fails, the address is on the screen.
    static func open(_ address: String) {
        guard isThere else { return }
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address)]
        defer { for word in words { free(word) } }
        // The browser must not inherit the command's blocked and ignored signals; nor does Ctrl-C here end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        _ = posix_spawnp(&process, "xdg-open", nil, &attributes, words + [nil], environ)
    }
}
