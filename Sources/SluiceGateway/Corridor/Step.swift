internal import SluiceContract
internal import SluiceHTTP

/// The steps of a request's walk. Each looks at the exchange and says where to go next; none calls another, and a
/// failure anywhere goes forward to `normalise`.
///
///     match → authorise → admit → readParameters → enter → checkBody → consultCache → fetch → (judge → extract)
///       └─────────┴─────────┴───────────┴────────────┴─────────┴────────────┴───────────┴─────────┴→ normalise
enum Step {
    /// Which route is it? (`Exchange+Match.swift`)
    case match
    /// May this client ask for it? (`Exchange+Authorise.swift`, `Exchange+Origin.swift`)
    case authorise
    /// Does it ask too often? (`Exchange+Admit.swift`)
    case admit
    /// Are the parameters as declared? (`Exchange+Parameters.swift`)
    case readParameters
    /// Is there room at the upstream? (`Exchange+Admit.swift`)
    case enter
    /// Does the body have to be proven before anything goes upstream? (`RequestBody.swift`)
    case checkBody
    /// May a stored answer be used (`Exchange+Cache.swift`)? What is fetched for it goes through a `Filling`.
    case consultCache
    /// Lease an upstream connection and send (`Fetch.swift`); the answer is judged and extracted there.
    case fetch
    /// What does the gateway itself say, on its admin socket? (`Admin/Exchange+Admin.swift`)
    case administer
    /// Turn the problem into bytes (`Normaliser.swift`).
    case normalise
    /// The walk is over, or goes on when the next fact arrives.
    case rest
}

extension Exchange {
    /// Walks from `step` until there is nothing to do but wait.
    func walk(_ first: Step) {
        var step = first
        while true {
            switch step {
            case .match: step = match()
            case .authorise: step = authorise()
            case .admit: step = admit()
            case .readParameters: step = readParameters()
            case .enter: step = enter()
            case .checkBody: step = checkBody()
            case .consultCache: step = consultCache()
            case .fetch: step = startFetch()
            case .administer: step = administer()
            case .normalise: step = normalise()
            case .rest: return
            }
        }
    }

    /// Sends the walk to `normalise`.
    func refused(_ problem: Problem) -> Step {
        self.problem = withoutCredentials(problem)
        return .normalise
    }
}
