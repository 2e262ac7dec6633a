internal import SluiceContract
internal import SluiceHTTP

/// The corridor: every stage of a request, in order, with the stages that may follow each.
///
/// A stage examines the exchange and returns the next stage; none calls another, and any failure leads to `normalise`.
/// Up to `fetch` the exchange walks by itself; from there on the upstream's answer moves it.
enum Step: CaseIterable {
    /// Which route is it? (`Exchange+Stages.swift`)
    case match
    /// May this client make the request? (`Exchange+Stages.swift`, `OriginCheck.swift`)
    case authorise
    /// Does it ask too often? (`Exchange+Stages.swift`)
    case admit
    /// Are the parameters as declared? (`ParameterReader.swift`, `RequestTarget.swift`)
    case readParameters
    /// Does the client want to watch the value, instead of one answer? (`Exchange+Watch.swift`)
    case watch
    /// Is there room at the upstream? (`Admission+Upstream.swift`)
    case enter
    /// Does the body have to be validated before anything is sent to the upstream? (`RequestIntake.swift`)
    case checkBody
    /// May a stored answer be used (`Exchange+Cache.swift`)? A ``CacheFill`` fetches for the cache.
    case consultCache
    /// Lease an upstream connection and send. (`Fetch.swift`)
    case fetch
    /// What kind of answer is it, by its status? (`Judge.swift`)
    case judge
    /// Is the wanted value present, and of its type? (`FetchAnswer+Extraction.swift`)
    case extract
    /// Hand the answer to the client. (``ClientAnswer``, ``AnswerSink``)
    case write
    /// Answer the problem. (`Exchange+Answers.swift`, `Normaliser.swift`)
    case normalise
    /// Answer a request on the admin socket. (`AdminSocket.swift`)
    case administer
    /// The walk is over, or goes on at the next event.
    case rest

    /// The stages that may follow this one; the usual one first.
    var successors: [Step] {
        switch self {
        case .match: [.authorise, .write, .normalise]
        case .authorise: [.readParameters, .admit, .write, .normalise]
        case .admit: [.readParameters, .normalise]
        case .readParameters: [.enter, .watch, .normalise]
        case .watch: [.enter, .write, .normalise]
        case .enter: [.checkBody, .normalise]
        case .checkBody: [.consultCache, .normalise]
        case .consultCache: [.fetch, .write, .normalise]
        case .fetch: [.judge, .normalise]
        case .judge: [.write, .extract, .fetch, .normalise]
        case .extract: [.write, .normalise]
        case .administer: [.write, .normalise]
        case .normalise: [.write]
        case .write, .rest: []
        }
    }
}

extension Exchange {
    /// Walks from `first` until the exchange has to wait, or is over.
    func walk(_ first: Step) {
        var step = first
        while step != .rest { step = run(step) }
    }

    /// Walks as far as `last`, skipping the omitted stages, and does nothing there.
    /// - Returns: the stage that was reached: `last`, or `normalise` where the request is refused before.
    func walk(_ first: Step, to last: Step, without omitted: [Step]) -> Step {
        var step = first
        while step != last, step != .normalise, step != .rest {
            step = omitted.contains(step) ? step.successors[0] : run(step)
        }
        return step
    }

    @inline(__always)
    private func run(_ step: Step) -> Step {
        let next =
            switch step {
            case .match: match()
            case .authorise: authorise()
            case .admit: admit()
            case .readParameters: readParameters()
            case .watch: watch()
            case .enter: enter()
            case .checkBody: checkBody()
            case .consultCache: consultCache()
            case .fetch: startFetch()
            case .administer: administer()
            case .normalise: normalise()
            case .judge, .extract, .write, .rest: Step.rest
            }
        assert(next == .rest || step.successors.contains(next), "\(step) does not lead to \(next)")
        return next
    }

    /// Sends the walk to `normalise`.
    func refused(_ problem: Problem) -> Step {
        self.problem = EchoMask.applied(to: problem, of: request)
        return .normalise
    }
}
