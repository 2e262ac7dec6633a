#if Combine
    public import OpenCombine
    public import SluiceClient

    /// What loads, as publishers: a subscriber's first demand lets content be loaded as needed, and while there are
    /// subscribers a resource is kept. The last one that cancels ends the load.
    extension Loadable {
        /// Everything that is known, now and from now on.
        public func statePublisher() -> StatePublisher<State> {
            StatePublisher { states }
        }

        /// The content, whenever there is some.
        public func contentPublisher() -> Publishers.CompactMap<StatePublisher<State>, Content> {
            statePublisher().compactMap(\.content)
        }

        /// The content, or nil while there is none.
        public func optionalContentPublisher() -> Publishers.Map<StatePublisher<State>, Content?> {
            statePublisher().map(\.content)
        }
    }

    extension LoadableGroup {
        /// What to show of all members together, now and from now on.
        public func displayPublisher() -> StatePublisher<Display> {
            StatePublisher { displays }
        }
    }
#endif
