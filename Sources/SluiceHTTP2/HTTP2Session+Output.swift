internal import CNGHTTP2
public import SluiceHTTP

// Sends the content and the trailers of a stream's message, after its head.
extension HTTP2Session {
    /// The source from which the library takes the content of a stream's message.
    final func provider(of stream: HTTP2SessionStream) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
        provider.read_callback = Self.readContent
        return provider
    }

    /// Adds content to our message. Borrowed bytes stay valid until ``HTTP2SessionStream/settle()``.
    public final func submitContent(_ run: UnsafeRawBufferPointer, isBorrowed: Bool, on stream: HTTP2SessionStream) {
        guard !stream.isClosed, !stream.isOutputEnded else { return }
        pendingBytes += run.count
        if isBorrowed { stream.pending.borrow(run) } else { stream.pending.append(run) }
        resume(stream)
    }

    /// Our message is complete.
    /// - Returns: false where the message had been completed before, or the stream is closed.
    @discardableResult
    public final func submitEnd(on stream: HTTP2SessionStream) -> Bool {
        guard !stream.isClosed, !stream.isOutputEnded else { return false }
        stream.isOutputEnded = true
        resume(stream)
        return true
    }

    /// Our message is complete but for its trailers; marked trailers are left out.
    public final func submitEnd(trailers: borrowing HeaderBlock, on stream: HTTP2SessionStream) {
        guard !stream.isClosed, !stream.isOutputEnded else { return }
        for index in 0..<trailers.count where !trailers.isMarked(index) {
            stream.outputTrailers.append(name: trailers.name(index), value: trailers.value(index))
        }
        stream.hasOutputTrailers = stream.outputTrailers.count > 0
        submitEnd(on: stream)
    }

    private func resume(_ stream: HTTP2SessionStream) {
        guard stream.isDeferred else { return }
        stream.isDeferred = false
        nghttp2_session_resume_data(handle, stream.id)
    }

    /// Tells the library how much there is to send.
    private static let readContent: nghttp2_data_source_read_callback = {
        session, id, _, length, flags, source, owner in
        guard let source, let flags, let pointer = source.pointee.ptr else { return -1 }
        let stream = Unmanaged<HTTP2SessionStream>.fromOpaque(pointer)
        return stream._withUnsafeGuaranteedRef { stream in
            let count = min(stream.pending.count, length)
            if count == 0, !stream.isOutputEnded {
                stream.isDeferred = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            guard count == stream.pending.count, stream.isOutputEnded else { return count }
            flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            if stream.hasOutputTrailers {
                flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                HTTP2Session.of(owner).submitTrailers(of: stream)
            }
            return count
        }
    }

    /// Only a peer's small window makes frames shorter than this.
    private static let crumbBytes = 256

    private func submitTrailers(of stream: HTTP2SessionStream) {
        engine.fields.begin()
        engine.fields.append(stream.outputTrailers)
        nghttp2_submit_trailer(handle, stream.id, engine.fields.base, engine.fields.count)
    }

    /// Moves content into the outbox, behind the head of its frame.
    final func sendContent(_ head: UnsafePointer<UInt8>, _ count: Int, of stream: HTTP2SessionStream) {
        guard let target else { return }
        target.pointee.append(UnsafeRawBufferPointer(start: head, count: 9))
        stream.pending.move(count, to: &target.pointee)
        stream.sentBytes += count
        pendingBytes -= count
        if stream.awaitsRoom, stream.pending.count <= HTTP2SessionStream.pendingBytesMax / 2 {
            stream.awaitsRoom = false
            events.append(.room, stream)
        }
        // If the peer opens its window in tiny steps, so that content is sent in crumbs, these earn it no budget for
        // window updates.
        guard stream.pending.isEmpty || count >= Self.crumbBytes else { return }
        watch.contentSent(count)
        framedBytes &+= count
    }
}

extension Outbox {
    /// Moves the first `count` bytes to the end of another outbox; borrowed ones stay borrowed, and all others are
    /// copied.
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
