extension Configuration {
    /// Everything that is listened on: for clients, and for whoever administers the gateway.
    public var listeners: [Listener] {
        guard let admin else { return listen }
        var listener = Listener(.unix(path: admin))
        listener.isAdmin = true
        // Its owner alone; the kernel says who connects, and that is looked at as well.
        listener.mode = 0o600
        listener.http2 = false
        return listen + [listener]
    }
}
