/// What a timer belongs to.
enum TimerTag: Int {
    case link, fetch, gate, healthCheck, fixture, watch, patience
}
