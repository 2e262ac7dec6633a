/// What a type turned out to be, after it was asked in several ways.
indirect enum ProbedForm {
    /// One of these, by what was asked for at the place.
    case values([any Decodable.Type])
    case object(ProbedObject)
    /// An object with free keys.
    case dictionary(ProbedForm)
    case list(ProbedForm)
    /// Anything: the type takes whatever comes.
    case anything
    /// Objects told apart by the value of a key, each with the cases of the enum that it stands for.
    case choice(key: String, [(cases: ProbedCases, numbers: [Int], object: ProbedForm)])
    /// Other forms, as in a type that is a text or an object.
    case either([ProbedForm])
}

/// An object, by its keys.
struct ProbedObject {
    var members: [(key: String, form: ProbedForm, isOptional: Bool)]
    /// The type takes keys as well that it does not know beforehand.
    var takesOthers = false
}
