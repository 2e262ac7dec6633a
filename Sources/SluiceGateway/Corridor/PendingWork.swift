/// Work of an exchange that takes more than one turn of the loop, or another thread.
class PendingWork {
    /// The client has disconnected.
    func clientLeft() {}

    /// The client has caught up after it had fallen behind.
    func clientDrained() {}
}
