internal import CNGHTTP2

// What is sent on a stream.
extension HTTP2ServerSession {
    /// An interim answer (RFC 9110 §15.2).
    public func submitInterim(status: Int, _ fields: borrowing HeaderBlock, on stream: HTTP2ServerStream) {
        guard !stream.isClosed, !stream.isAnswerBegun else { return }
        engine.fields.begin(status: status)
        engine.fields.append(fields)
        nghttp2_submit_headers(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, nil, engine.fields.base, engine.fields.count, nil)
    }

    /// The head of the answer. Marked fields stay behind; no field may be specific to a connection (RFC 9113 §8.2.2).
    /// - Parameter hasContent: else the head ends the stream.
    public func submitAnswer(
        status: Int, _ fields: borrowing HeaderBlock, and more: borrowing HeaderBlock, contentLength: Int?,
        hasContent: Bool, on stream: HTTP2ServerStream
    ) {
        guard !stream.isClosed else { return }
        engine.fields.begin(status: status)
        engine.fields.append(fields)
        if more.count > 0 { engine.fields.append(more) }
        if let contentLength { engine.fields.append("content-length", decimal: contentLength) }
        submit(hasContent: hasContent, on: stream)
    }

    /// The head of an answer that a cache has kept.
    /// - Parameters:
    ///   - lines: fields as HTTP/1.1 writes them, without `Content-Length`.
    ///   - age: seconds (RFC 9111 §5.1).
    ///   - ttl: seconds of freshness left (RFC 9211 §2.6).
    public func submitStored(
        status: Int, lines: UnsafeRawBufferPointer, age: Int, ttl: Int, and more: borrowing HeaderBlock,
        contentLength: Int?, hasContent: Bool, on stream: HTTP2ServerStream
    ) {
        guard !stream.isClosed else { return }
        engine.fields.begin(status: status)
        engine.fields.append(lines: lines)
        engine.fields.append("age", decimal: max(0, age))
        engine.fields.append("cache-status", "sluice; hit; ttl=", decimal: max(0, ttl))
        if more.count > 0 { engine.fields.append(more) }
        if let contentLength { engine.fields.append("content-length", decimal: contentLength) }
        submit(hasContent: hasContent, on: stream)
    }

    /// Sends the head that stands in the engine's list.
    private func submit(hasContent: Bool, on stream: HTTP2ServerStream) {
        precondition(!stream.isAnswerBegun, "a second answer for one request")
        stream.isAnswerBegun = true
        var provider = nghttp2_data_provider()
        provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
        provider.read_callback = Self.readAnswer
        if hasContent {
            nghttp2_submit_response(handle, stream.id, engine.fields.base, engine.fields.count, &provider)
        } else {
            stream.isAnswerEnded = true
            nghttp2_submit_response(handle, stream.id, engine.fields.base, engine.fields.count, nil)
        }
    }

    /// More content of the answer. Borrowed bytes stay valid until ``HTTP2ServerStream/settle()``.
    public func submitContent(_ run: UnsafeRawBufferPointer, isBorrowed: Bool, on stream: HTTP2ServerStream) {
        guard !stream.isClosed, !stream.isAnswerEnded else { return }
        if isBorrowed { stream.pending.borrow(run) } else { stream.pending.append(run) }
        resume(stream)
    }

    /// The answer is complete.
    public func submitEnd(on stream: HTTP2ServerStream) {
        guard !stream.isClosed, !stream.isAnswerEnded else { return }
        stream.isAnswerEnded = true
        resume(stream)
    }

    /// The answer is complete but for its trailers; marked ones stay behind.
    public func submitEnd(trailers: borrowing HeaderBlock, on stream: HTTP2ServerStream) {
        guard !stream.isClosed, !stream.isAnswerEnded else { return }
        for index in 0..<trailers.count where !trailers.isMarked(index) {
            stream.answerTrailers.append(name: trailers.name(index), value: trailers.value(index))
        }
        stream.hasAnswerTrailers = stream.answerTrailers.count > 0
        submitEnd(on: stream)
    }

    /// Ends the stream at once (RFC 9113 §6.4).
    public func reset(_ stream: HTTP2ServerStream, _ code: HTTP2ErrorCode) {
        guard !stream.isClosed else { return }
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
    }

    private func resume(_ stream: HTTP2ServerStream) {
        guard stream.isDeferred else { return }
        stream.isDeferred = false
        nghttp2_session_resume_data(handle, stream.id)
    }

    /// Tells the library how much there is to send.
    private static let readAnswer: nghttp2_data_source_read_callback = { session, id, _, length, flags, source, owner in
        guard let source, let flags, let pointer = source.pointee.ptr else { return -1 }
        let stream = Unmanaged<HTTP2ServerStream>.fromOpaque(pointer)
        return stream._withUnsafeGuaranteedRef { stream in
            let count = min(stream.pending.count, length)
            if count == 0, !stream.isAnswerEnded {
                stream.isDeferred = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            guard count == stream.pending.count, stream.isAnswerEnded else { return count }
            flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            if stream.hasAnswerTrailers {
                flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                HTTP2ServerSession.of(owner).submitTrailers(of: stream)
            }
            return count
        }
    }

    /// Shorter frames are nobody's choice but that of a client.
    private static let crumbBytes = 256

    private func submitTrailers(of stream: HTTP2ServerStream) {
        engine.fields.begin()
        engine.fields.append(stream.answerTrailers)
        nghttp2_submit_trailer(handle, stream.id, engine.fields.base, engine.fields.count)
    }

    /// Moves content into the outbox, behind the head of its frame.
    func sendContent(_ head: UnsafePointer<UInt8>, _ count: Int, of stream: HTTP2ServerStream) {
        guard let target else { return }
        target.pointee.append(UnsafeRawBufferPointer(start: head, count: 9))
        stream.pending.move(count, to: &target.pointee)
        stream.sentBytes += count
        if stream.awaitsRoom, stream.pending.count <= HTTP2ServerStream.pendingBytesMax / 2 {
            stream.awaitsRoom = false
            events.room(stream)
        }
        // Content in crumbs, because the client opens its window by crumbs, pays for no window updates.
        if stream.pending.isEmpty || count >= Self.crumbBytes { watch.contentSent() }
    }
}

extension Outbox {
    /// Moves the first `count` bytes to the end of another outbox; borrowed ones stay borrowed.
    mutating func move(_ count: Int, to other: inout Outbox) {
        var left = count
        while left > 0 {
            let run = UnsafeRawBufferPointer(rebasing: firstRun.prefix(left))
            if isFirstRunBorrowed { other.borrow(run) } else { other.append(run) }
            consume(run.count)
            left -= run.count
        }
    }
}
