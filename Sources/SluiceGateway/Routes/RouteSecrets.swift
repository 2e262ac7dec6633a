internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Values of variables and files that a route's requests need, and members that the configuration adds to bodies.
struct RouteSecrets: Sendable {
    /// Positions of all these secrets in the generation's list, each once.
    let all: [Int]
    /// The secrets in the target. A marker byte (``marker(_:)``) stands for each until the head is written, so that no
    /// cache key, listing or store ever holds a secret.
    let inTarget: [Int]
    /// Those of them that stand in the path, and so have to be names.
    let inPath: [Int]
    let members: [Member]

    /// A member that the configuration adds to the client's body.
    struct Member: Sendable {
        let name: [UInt8]
        /// JSON text; nil for a secret.
        let json: [UInt8]?
        /// Text as written in a form; nil for a secret.
        let text: [UInt8]?
        let secret: Int?
    }

    /// How many secrets a target can have: as many as there are markers.
    static let inTargetMax = 8

    init(_ binding: Binding, _ headers: [HeaderSetting], _ common: RouteCommon) throws(PlanError) {
        func position(_ source: TokenSource?) -> Int? { source.flatMap { common.secrets.firstIndex(of: $0) } }
        var all: [Int] = []
        for secret in headers.compactMap({ position($0.secret) })
            + binding.parameters.compactMap({ position($0.source) })
        where !all.contains(secret) { all.append(secret) }
        self.all = all
        inPath = binding.parameters.filter { binding.upstreamPath.placeholders.contains($0.name) }
            .compactMap { position($0.source) }
        inTarget = binding.parameters.filter { $0.location != .body }.compactMap { position($0.source) }
        var members: [Member] = []
        for parameter in binding.parameters where parameter.isBodyMember {
            members.append(
                Member(
                    name: Array((parameter.upstreamName ?? parameter.name).utf8),
                    json: try Self.json(of: parameter, keys: binding.keys, common.types),
                    text: parameter.defaultJSON.flatMap { DefaultText.values(of: $0).first },
                    secret: position(parameter.source)))
        }
        self.members = members
    }

    /// The fixed value as the upstream has it.
    private static func json(
        of parameter: Parameter, keys: KeyStyle, _ types: NamedTypes
    ) throws(PlanError) -> [UInt8]? {
        guard let text = parameter.defaultJSON, let node = JSONNode(text) else { return nil }
        do {
            let form = DeclaredValue(types, keys: keys, direction: .toUpstream)
            return Array(try form.json(of: node, parameter.type).utf8)
        } catch {
            throw error.planError(of: parameter.name)
        }
    }

    /// The byte that stands for the secret at this position of ``inTarget``. No target contains such a byte (RFC 3986
    /// §2).
    static func marker(_ position: Int) -> UInt8 { UInt8(position + 1) }
}
