internal import CLinux
internal import SluiceSigning
internal import Glibc

/// Protects this process's memory from other processes, unless a debugger is allowed.
enum ProcessMemory {
    /// Where it is set, core files are written and debuggers may attach, as the system has it.
    static let variable = "SLUICE_ALLOW_DEBUGGER"

    enum Outcome {
        case kept(SecretMemory.Protection)
        /// As ``variable`` wants it.
        case open
    }

    /// To be called before there is any secret.
    @discardableResult
    static func keepPrivate() -> Outcome {
        let isOpen = getenv(variable).map { $0.pointee != 0 } ?? false
        if isOpen { return .open }
        clinux_keep_memory_private()
        return .kept(SecretMemory.prepare())
    }
}
