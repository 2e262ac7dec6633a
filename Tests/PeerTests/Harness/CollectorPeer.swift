import Foundation

/// A collector of spans that reads them with `opentelemetry-proto`, and writes down what it has read.
final class CollectorPeer: Sendable {
    /// One span, as the library understands it.
    struct Span: Decodable {
        let name: String
        let kind: String
        let trace: String
        let id: String
        let parent: String
        let state: String
        let flags: Int
        let nanoseconds: Int
        let startedAt: Int
        let attributes: [String: String]
        let events: [String]
        let status: String
        let resource: [String: String]
        /// `Authorization` and `X-Key` of the request that it came with.
        let fields: [String]
    }

    private let peer: PythonPeer
    private let folder: TemporaryFolder
    var url: String { "http://127.0.0.1:\(peer.port)" }
    var port: UInt16 { peer.port }

    /// - Parameters:
    ///   - refusals: status and `Retry-After` of the first answers, in their order.
    ///   - identity: files of its certificate and key, where it speaks TLS.
    init(refusals: String = "", identity: (certificate: String, key: String)? = nil) throws {
        folder = try TemporaryFolder()
        peer = try PythonPeer(
            Self.script, folder.file("spans"), refusals, identity?.certificate ?? "", identity?.key ?? "")
    }

    func end() { peer.end() }

    /// What it has read so far.
    var spans: [Span] {
        get throws {
            try folder.read("spans").split(separator: "\n").map {
                try JSONDecoder().decode(Span.self, from: Data($0.utf8))
            }
        }
    }

    private static let script = #"""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
        from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

        file, refusals = open(sys.argv[1], "w"), [pair.split(":") for pair in sys.argv[2].split()]

        def shown(value):
            return str(getattr(value, value.WhichOneof("value")))

        def members(pairs):
            assert len({pair.key for pair in pairs}) == len(pairs), pairs
            return {pair.key: shown(pair.value) for pair in pairs}

        def answer(request):
            assert request.method == "POST" and request.target == "/v1/traces", request.target
            assert request.headers["Content-Type"] == "application/x-protobuf"
            if refusals:
                status, after = refusals.pop(0)
                return int(status), {"Retry-After": after} if after else {}, ""
            message = ExportTraceServiceRequest()
            message.ParseFromString(request.body)
            # Whatever the library does not know would be lost on the way back.
            assert len(message.SerializeToString()) == len(request.body)
            fields = [request.headers.get(name, "") for name in ("Authorization", "X-Key")]
            for spans in message.resource_spans:
                resource = members(spans.resource.attributes)
                for scope in spans.scope_spans:
                    assert scope.scope.name == "sluice" and scope.scope.version
                    for span in scope.spans:
                        assert len(span.trace_id) == 16 and len(span.span_id) == 8
                        file.write(json.dumps(dict(
                            name=span.name, kind=Span.SpanKind.Name(span.kind), trace=span.trace_id.hex(),
                            id=span.span_id.hex(), parent=span.parent_span_id.hex(), state=span.trace_state,
                            flags=span.flags, startedAt=span.start_time_unix_nano,
                            nanoseconds=span.end_time_unix_nano - span.start_time_unix_nano,
                            attributes=members(span.attributes), events=[event.name for event in span.events],
                            status=Status.StatusCode.Name(span.status.code), resource=resource, fields=fields)) + "\n")
            file.flush()
            return 200, {"Content-Type": "application/x-protobuf"}, ""

        context = None
        if sys.argv[3]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[3], sys.argv[4])
        serve(answer, context=context)
        """#
}
