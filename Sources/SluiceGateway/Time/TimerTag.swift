/// The kind of owner of a timer.
enum TimerTag: Int {
    case link, fetch, gate, healthCheck, fixture, watch, patience
}
