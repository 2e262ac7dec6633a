import Glibc

/// A terminal that shows resources: what has come, what is on its way, what failed, by rules.
@main
enum FruitWatch {
    static func main() async {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print(Options.usage)
            exit(64)
        }
        let watch = Watch(options)
        guard options.once else {
            await withTaskGroup { group in
                group.addTask { await watch.draw() }
                await watch.obey(Keys.typed)
                group.cancelAll()
            }
            return
        }
        let isWhole = await watch.settle(retries: options.retries)
        print(watch.text)
        exit(isWhole ? 0 : 1)
    }
}
