internal import SluiceGateway

/// `ExportTraceServiceRequest` of OTLP 1.0, whose field numbers these are.
struct TraceExportRequest {
    /// The process that the spans belong to.
    struct Resource {
        var version: String
        var host: String
        var process: Int
    }

    let resource: Resource
    /// Offset from the monotonic clock to nanoseconds since 1970.
    let unixOffset: UInt64

    func bytes(of spans: [TraceSpan]) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.message(1) { spansOfResource in
            spansOfResource.message(1) { message in
                Self.write(.text("sluice"), "service.name", as: 1, &message)
                Self.write(.text(resource.version), "service.version", as: 1, &message)
                Self.write(.text(resource.host), "host.name", as: 1, &message)
                Self.write(.number(resource.process), "process.pid", as: 1, &message)
            }
            spansOfResource.message(2) { spansOfScope in
                spansOfScope.message(1) { scope in
                    scope.text(1, "sluice")
                    scope.text(2, resource.version)
                }
                for span in spans { spansOfScope.message(2) { write(span, &$0) } }
            }
        }
        return writer.bytes
    }

    private func write(_ span: TraceSpan, _ message: inout ProtobufWriter) {
        message.data(1, Self.bigEndian(span.trace.high) + Self.bigEndian(span.trace.low))
        message.data(2, Self.bigEndian(span.id.number))
        if !span.state.isEmpty { message.text(3, span.state) }
        if let parent = span.parent { message.data(4, Self.bigEndian(parent.number)) }
        message.text(5, span.name)
        message.varint(6, span.kind == .server ? 2 : 3)
        message.fixed64(7, span.startedAt &+ unixOffset)
        message.fixed64(8, span.endedAt &+ unixOffset)
        for attribute in span.attributes { Self.write(attribute.value, attribute.name, as: 9, &message) }
        for event in span.events {
            message.message(11) { inner in
                inner.fixed64(1, event.at &+ unixOffset)
                inner.text(2, event.name.description)
                for attribute in event.attributes { Self.write(attribute.value, attribute.name, as: 3, &inner) }
            }
        }
        if span.status == .error { message.message(15) { $0.varint(3, 2) } }
        // Bit 8 says that it is known whether the parent is remote, bit 9 that it is.
        message.fixed32(16, UInt32(span.flags) | 0x100 | (span.isParentRemote ? 0x200 : 0))
    }

    private static func write(
        _ value: TraceSpan.Value, _ name: StaticString, as field: Int, _ message: inout ProtobufWriter
    ) {
        message.message(field) { pair in
            pair.text(1, name.description)
            pair.message(2) { inner in
                switch value {
                case .text(let text): inner.text(1, text)
                case .flag(let flag): inner.varint(2, flag ? 1 : 0)
                case .number(let number): inner.varint(3, UInt64(bitPattern: Int64(number)))
                }
            }
        }
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
