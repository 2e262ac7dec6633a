internal import SluiceContract

extension Exchange {
    /// What does the admin socket say?
    func administer() -> Step {
        guard let administration = corridor.administration else { preconditionFailure("no admin socket") }
        do throws(Problem) {
            try administration.administer(self)
            return .rest
        } catch {
            return refused(error)
        }
    }
}
