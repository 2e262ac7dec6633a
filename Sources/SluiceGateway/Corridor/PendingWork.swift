/// What an exchange waits for that takes more than one turn of the loop, or another thread.
class PendingWork {
    /// Nobody waits for it any more.
    func clientLeft() {}

    /// Who waits for it has taken what it was sent, after it had fallen behind.
    func clientDrained() {}
}
