extension Configuration {
    /// Everything that is listened on: for clients, and for administration and monitoring.
    public var listeners: [Listener] {
        var all = listen
        if let admin {
            var listener = Listener(.unix(path: admin))
            listener.purpose = .administration
            // Its owner alone; the connecting user, which the kernel tells, is checked as well.
            listener.mode = 0o600
            listener.http2 = false
            all.append(listener)
        }
        if let monitor {
            var listener = Listener(.tcp(host: monitor.host, port: monitor.port))
            listener.purpose = .monitoring
            listener.http2 = false
            all.append(listener)
        }
        return all
    }
}
