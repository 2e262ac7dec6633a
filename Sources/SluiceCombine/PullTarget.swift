#if Combine
    /// Where a source's elements go: to a subscriber whose type the source does not know.
    protocol PullTarget<Element, Failure>: AnyObject, Sendable {
        associatedtype Element: Sendable
        associatedtype Failure: Error

        /// Tells an element that was demanded. Only the source calls it, once at a time.
        func emit(_ element: Element)

        /// Waits until an element is demanded; false once the subscriber has cancelled.
        func isDemanded() async -> Bool

        /// Tells how it ended: nil where all went well.
        func finish(_ failure: Failure?)
    }

    /// A source at work.
    enum PullTask {
        /// Runs a source to its end, and tells that.
        static func begin<Element, Failure>(
            _ body: @escaping @Sendable () async throws(Failure) -> Void, for target: any PullTarget<Element, Failure>
        ) -> Task<Void, Never> {
            Task {
                do throws(Failure) {
                    try await body()
                    target.finish(nil)
                } catch {
                    target.finish(error)
                }
            }
        }
    }
#endif
