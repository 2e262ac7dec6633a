/// What one connection remembers of its client, so that no request has to look it up.
final class ClientStanding {
    private var buckets: ClientBuckets?
    private var bucket: RateBucket?

    func bucket(in buckets: ClientBuckets, of client: ClientInfo, at now: UInt64) -> RateBucket {
        if let bucket, self.buckets === buckets { return bucket }
        let bucket = buckets.bucket(of: ClientIdentity(client), at: now)
        self.buckets = buckets
        self.bucket = bucket
        return bucket
    }
}
