import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { addMemoryItem } from "../../src/contract/memory/memoryMarkdown.ts"
import { TextFiles } from "../../src/services/knowledge/files/TextFiles.ts"
import { PathLocks } from "../../src/services/platform/storage/PathLocks.ts"

// Adds bullets to the file named on the command line until it's killed, and prints each number once it's stored.
const path = process.argv[2] ?? ""
const start = Number(process.argv[3] ?? 0)

const program = Effect.gen(function* () {
  const files = yield* TextFiles
  for (let number = start; ; number++) {
    yield* files.edit(path, "the test's file", (text) =>
      Effect.succeed({
        text: addMemoryItem(text ?? "", "Facts", `fact ${number} ${"x".repeat(200)}`),
        value: undefined
      })
    )
    process.stdout.write(`${number}\n`)
  }
})

Effect.runFork(
  program.pipe(Effect.provide(TextFiles.layer.pipe(Layer.provide(PathLocks.layer), Layer.provide(NodeServices.layer))))
)
