import CPeers
import CSIMD
import Foundation
import SluiceContract
import SluiceJSON

// Prints GB/s of this thread's CPU time, the best of several rounds in which the contestants take turns.
//
//     json-bench [--kernel KERNEL] FOLDER [NAME [CONTESTANT [SECONDS]]]
//
// FOLDER holds twitter.json, citm_catalog.json, github_events.json, update-center.json, apache_builds.json and
// canada.json. With NAME only documents whose names begin so are run; with CONTESTANT that one alone is run, for four seconds or so many, for a profiler.
// KERNEL is a set of instructions that this machine has; without it, it is the widest.

func usage() -> Never {
    print("usage: json-bench [--kernel KERNEL] FOLDER [NAME [CONTESTANT [SECONDS]]]")
    exit(64)
}

var arguments = CommandLine.arguments
var kernel = sluice_json_kernel_widest().pointee
if arguments.count > 2, arguments[1] == "--kernel" {
    var number = 0
    while let next = sluice_json_kernel_at(number), String(cString: next.pointee.name) != arguments[2] { number += 1 }
    guard let chosen = sluice_json_kernel_at(number) else { usage() }
    kernel = chosen.pointee
    arguments.removeSubrange(1...2)
}
guard arguments.count > 1 else { usage() }
let workloads = try Workloads.all(in: URL(fileURLWithPath: arguments[1]))
    .filter { arguments.count < 3 || $0.name.hasPrefix(arguments[2]) }
print("kernel: \(String(cString: kernel.name)), simdjson: \(String(cString: peers_simdjson_name()))")
let table = Table()
for workload in workloads {
    let contest = try Contest(workload, kernel)
    if arguments.count > 3 {
        try contest.profile(arguments[3], seconds: arguments.count > 4 ? Double(arguments[4]) ?? 4 : 4)
    } else {
        table.add(workload, contest.run())
    }
}
table.printTargets()
