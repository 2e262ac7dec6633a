import Foundation
import Synchronization

/// Clears up behind a test run, even one that dies: a shell that reads which processes have started and ended, and that
/// ends those which are left, and removes the run's files, when the pipe closes for whatever reason.
final class Guardian: Sendable {
    static let shared = Guardian()

    private static let script = """
        running=' '
        while read -r what pid; do
            case $what in
                started) running="$running$pid " ;;
                ended) running="${running%% $pid *} ${running#* $pid }" ;;
            esac
        done
        if [ "$running" != ' ' ]; then
            kill -TERM $running 2>/dev/null
            sleep 1
            kill -KILL $running 2>/dev/null
        fi
        rm -rf "$1"
        """

    /// Every temporary folder of the run lies in here.
    let folder: String
    private let pipe: Mutex<Int32>

    private init() {
        var template = Array("/tmp/sluice-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "mkdtemp: \(errorText())")
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var ends: [Int32] = [0, 0]
        Spawn.withoutSpawning {
            let made = Glibc.pipe(&ends) == 0
            precondition(made, "pipe: \(errorText())")
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        pipe = Mutex(ends[1])
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        // A group of its own: Ctrl-C in a terminal must not end the guardian before its wards.
        let spawned = Spawn.process(
            ["/bin/sh", "-c", Self.script, "guardian", folder], environment: [:], descriptors: [ends[0], null, null],
            ownGroup: true)
        precondition(spawned != nil, "the guardian could not be started: \(errorText())")
        close(ends[0])
        close(null)
    }

    func started(_ pid: pid_t) {
        tell("started \(pid)\n")
    }

    func ended(_ pid: pid_t) {
        tell("ended \(pid)\n")
    }

    private func tell(_ line: String) {
        pipe.withLock { descriptor in
            _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}
