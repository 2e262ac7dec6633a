internal import SluiceContract

/// Settings that a running daemon does not change: their values at the start stay in force, however often it reloads.
struct FixedSettings {
    /// With nothing else in it.
    private let settings: SluiceContract.Configuration

    init(_ configuration: SluiceContract.Configuration) {
        var settings = SluiceContract.Configuration()
        settings.loops = configuration.loops
        settings.limits = configuration.limits
        settings.metrics = configuration.metrics
        settings.cache.diskPath = configuration.cache.diskPath
        settings.cache.shared = configuration.cache.shared
        settings.log.level = configuration.log.level
        settings.log.format = configuration.log.format
        self.settings = settings
    }

    /// Keys that have another value in `new`.
    func keysChanged(in new: SluiceContract.Configuration) -> [String] {
        var keys: [String] = []
        if settings.loops != new.loops { keys.append("loops") }
        if settings.limits != new.limits { keys.append("limits") }
        if settings.metrics != new.metrics { keys.append("metrics") }
        if settings.cache.diskPath != new.cache.diskPath { keys.append("cache: disk") }
        if settings.cache.shared != new.cache.shared { keys.append("cache: shared") }
        if settings.log.level != new.log.level { keys.append("log: level") }
        if settings.log.format != new.log.format { keys.append("log: format") }
        return keys
    }
}
