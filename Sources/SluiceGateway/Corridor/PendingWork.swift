/// What an exchange waits for that takes more than one turn of the loop, or another thread.
class PendingWork {
    /// The client has left.
    func clientLeft() {}

    /// The client has taken what it was sent, after it had fallen behind.
    func clientDrained() {}
}
