import HTTP2Wire

extension SimulatedRequest {
    /// What a client writes that speaks HTTP/2: frames, between which those of other streams may come.
    func frames(_ stream: Int, using random: inout SeededGenerator) -> [[UInt8]] {
        var all = HTTP2Wire.control(method, path) + fields
        // RFC 9113 §8.2.1: no name has capitals.
        if kind == .malformed { all.append(("X-Upper", "1")) }
        // RFC 9113 §8.1.1: less than is announced is malformed.
        let announced = kind == .badChunk ? content.count + 3 : isLengthKnown ? content.count : nil
        if let announced { all.append(("content-length", "\(announced)")) }
        if random.chance(20) { all.append(("te", "trailers")) }
        let hasContent = !content.isEmpty || announced != nil || random.chance(5)
        var frames = head(stream, HTTP2Wire.section(all), isEnd: !hasContent, using: &random)
        if !hasContent { return frames }
        let hasTrailers = random.chance(10)
        let endsApart = hasTrailers || content.isEmpty || random.chance(30)
        var rest = content[...]
        while !rest.isEmpty {
            let size = min(rest.count, random.pick([1: 1, 60: 2, 500: 3, 4000: 2]))
            let isEnd = size == rest.count && !endsApart
            frames.append(data(stream, Array(rest.prefix(size)), isEnd: isEnd, using: &random))
            rest = rest.dropFirst(size)
        }
        if hasTrailers {
            frames.append(HTTP2Wire.headers(stream, [("x-sum", "1")]))
        } else if endsApart {
            frames.append(HTTP2Wire.data(stream, end: true))
        }
        return frames
    }

    /// A section that is cut in two stays together.
    private func head(
        _ stream: Int, _ section: [UInt8], isEnd: Bool, using random: inout SeededGenerator
    ) -> [[UInt8]] {
        let end = isEnd ? HTTP2Wire.Flag.endStream : 0
        guard random.chance(15) else {
            return [HTTP2Wire.frame(1, flags: HTTP2Wire.Flag.endHeaders | end, stream: stream, section)]
        }
        let cut = random.number(0...section.count)
        return [
            HTTP2Wire.frame(1, flags: end, stream: stream, Array(section[..<cut]))
                + HTTP2Wire.frame(9, flags: HTTP2Wire.Flag.endHeaders, stream: stream, Array(section[cut...]))
        ]
    }

    private func data(
        _ stream: Int, _ bytes: [UInt8], isEnd: Bool, using random: inout SeededGenerator
    ) -> [UInt8] {
        let end = isEnd ? HTTP2Wire.Flag.endStream : 0
        guard random.chance(10) else { return HTTP2Wire.frame(0, flags: end, stream: stream, bytes) }
        let padding = random.number(0...40)
        return HTTP2Wire.frame(
            0, flags: HTTP2Wire.Flag.padded | end, stream: stream,
            [UInt8(padding)] + bytes + [UInt8](repeating: 0, count: padding))
    }
}
