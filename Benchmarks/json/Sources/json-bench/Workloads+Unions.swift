import SluiceContract
import SluiceJSON

/// Lists of objects that are one of several, beside the same objects of one kind: the ratio is what telling them apart
/// costs.
extension Workloads {
    static var unions: [(String, () throws -> Workload)] {
        let union = TypeExpression.union([.named("Card"), .named("Bank"), .named("Cash")])
        let kinds: [(String, TypeExpression, (Int) -> Int)] = [
            ("payments of one kind", .named("Card"), { _ in 0 }), ("payments, union of one", union, { _ in 0 }),
            ("payments, two in turn", union, { $0 % 2 }), ("payments, three in turn", union, { $0 % 3 }),
            ("payments, three by chance", union, { _ in Int.random(in: 0..<3) }),
        ]
        return kinds.map { name, type, kind in (name, { payments(name, type, kind: kind) }) }
    }

    private static func payments(_ name: String, _ type: TypeExpression, kind: (Int) -> Int) -> Workload {
        let payments = (0..<20_000).map { number in
            let id = number * 7919 % 100_000
            let common =
                "\"amount\":\(id % 997),\"currency\":\"\(["eur", "usd"][number % 2])\",\"paid\":\(id % 3 == 0)}"
            return switch kind(number) {
            case 0: "{\"type\":\"card\",\"number\":\"4242 \(id)\",\"expires\":\(id % 60),\(common)"
            case 1: "{\"type\":\"bank\",\"iban\":\"DE02 \(id)\",\"country\":\(id % 50),\(common)"
            default: "{\"type\":\"cash\",\"desk\":\"desk \(id)\",\"clerk\":\(id % 40),\(common)"
            }
        }
        func definition(_ name: String, _ kind: String, _ text: String, _ number: String) -> TypeDefinition {
            TypeDefinition(
                name: name,
                type: .fields(
                    ("type", .literals([kind])), (text, .string), (number, .int), ("amount", .int),
                    ("currency", .literals(["eur", "usd"])), ("paid", .bool)))
        }
        return Workload(
            name, Array("{\"data\":[\(payments.joined(separator: ","))]}".utf8), path: "data", .array(type),
            types: [
                definition("Card", "card", "number", "expires"), definition("Bank", "bank", "iban", "country"),
                definition("Cash", "cash", "desk", "clerk"),
            ])
    }
}
