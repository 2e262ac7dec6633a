extension ClientInfo {
    /// Where its requests begin.
    var firstStep: Step { admin == nil ? .match : .administer }
}
