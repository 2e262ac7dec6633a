import SluiceContract
import SluiceJSON

/// Documents of scalars that are looked at byte by byte: URLs, and numbers.
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

    /// Vectors of 1,536 numbers each, as a model of texts answers them.
    static func embeddings() -> Workload {
        var random = SplitMix64(seed: 1)
        let vectors = (0..<32).map { number in
            let values = (0..<1536).map { _ in Double(Int64(bitPattern: random.next()) >> 28) / 1e12 }
            return "{\"index\":\(number),\"embedding\":[\(values.map { "\($0)" }.joined(separator: ","))]}"
        }
        let vector = TypeExpression.fields(("index", .int), ("embedding", .array(.scalar(.double))))
        return Workload(
            "embeddings", Array("{\"data\":[\(vectors.joined(separator: ","))]}".utf8), path: "data", .array(vector))
    }

    /// A long series of counts.
    static func counts() -> Workload {
        var random = SplitMix64(seed: 2)
        let counts = (0..<150_000).map { _ in "\(random.next() % 1_000_000 >> (random.next() % 16))" }
        return Workload(
            "counts", Array("{\"counts\":[\(counts.joined(separator: ","))]}".utf8), path: "counts", .array(.int))
    }
}
