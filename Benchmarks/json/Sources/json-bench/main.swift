import CPeers
import Foundation
import SluiceContract
import SluiceJSON

// Prints GB/s of this thread's CPU time, the best of several rounds in which the contestants take turns.
//
//     json-bench FOLDER [NAME [CONTESTANT [SECONDS]]]
//
// FOLDER holds twitter.json, citm_catalog.json, github_events.json and update-center.json. With NAME only documents
// whose names begin so are run; with CONTESTANT that one alone is run, for four seconds or so many, for a profiler.

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
    print("usage: json-bench FOLDER [NAME [CONTESTANT [SECONDS]]]")
    exit(64)
}
let workloads = try Workloads.all(in: URL(fileURLWithPath: arguments[1]))
    .filter { arguments.count < 3 || $0.name.hasPrefix(arguments[2]) }
print("simdjson: \(String(cString: peers_simdjson_name()))")
let table = Table()
for workload in workloads {
    let contest = try Contest(workload)
    if arguments.count > 3 {
        try contest.profile(arguments[3], seconds: arguments.count > 4 ? Double(arguments[4]) ?? 4 : 4)
    } else {
        table.add(workload, contest.run())
    }
}
table.printTargets()
