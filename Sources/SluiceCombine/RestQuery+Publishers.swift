#if Combine
    public import OpenCombine
    public import SluiceClient

    extension RestQuery {
        /// The value and what is happening to it, now and from now on; nothing is asked for.
        public func statePublisher() -> StatePublisher<RestState<Value>> {
            StatePublisher { states }
        }

        /// The value, now and after each change of it or of what is happening to it.
        public func valuePublisher() -> Publishers.Map<StatePublisher<RestState<Value>>, Value> {
            statePublisher().map(\.value)
        }
    }
#endif
