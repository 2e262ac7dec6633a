import SluiceContract
import SluiceJSON

/// Documents of scalars that are looked at byte by byte: URLs, and numbers with fractions.
extension Workloads {
    static func builds(_ document: [UInt8]) -> Workload {
        let job = TypeExpression.fields(("name", .string), ("url", .url), ("color", .string))
        return Workload("apache_builds", document, path: "jobs", .array(job))
    }

    static func canada(_ document: [UInt8]) -> Workload {
        let rings = TypeExpression.array(.array(.array(.scalar(.double))))
        let geometry = TypeExpression.fields(("type", .string), ("coordinates", rings))
        let feature = TypeExpression.fields(
            ("type", .string), ("properties", .fields(("name", .string))), ("geometry", geometry))
        return Workload("canada", document, path: "features", .array(feature))
    }
}
