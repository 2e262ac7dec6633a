import Foundation
import SluiceContract
import Testing

/// RFC 9457, as a client reads it.
struct ProblemDetails: Decodable {
    var type: String
    var title: String
    var status: Int
    var detail: String
    var source: String?
    var upstream: String?
    var code: String?
    var faults: [Fault]?

    struct Fault: Decodable, Equatable {
        var name: String
        var `in`: String
        var expected: String
        var found: String
        var hint: String?
    }

    /// The last part of the type's URI.
    var kind: Problem.Kind? {
        type.split(whereSeparator: { "/#:".contains($0) }).last.flatMap { Problem.Kind(rawValue: String($0)) }
    }
}

extension HTTPResponse {
    /// The answer read as a problem of this kind; media type, status and title are checked on the way.
    @discardableResult
    func expectProblem(
        _ kind: Problem.Kind, status expected: Int? = nil, at location: SourceLocation = #_sourceLocation
    ) throws -> ProblemDetails {
        #expect(isComplete, sourceLocation: location)
        #expect(status == expected ?? kind.status, "\(text)", sourceLocation: location)
        #expect(self["Content-Type"] == "application/problem+json", sourceLocation: location)
        let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(body))
        #expect(problem.kind == kind, "\(text)", sourceLocation: location)
        #expect(problem.status == status, sourceLocation: location)
        #expect(problem.title == kind.title, sourceLocation: location)
        #expect(!problem.detail.isEmpty, sourceLocation: location)
        return problem
    }
}
