import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { runMain } from "../../../src/cli/runMain.ts"
import { updateIn } from "../../../src/cli/update.ts"

// The update command as a process of its own, on the checkout named first; `rollback` after it goes back, `dry-run` only
// tells, and anything else is the version wanted.
const [directory = "", ...flags] = process.argv.slice(2)

runMain(
  updateIn(directory, {
    version: flags.find((flag) => flag.startsWith("v")),
    yes: true,
    dryRun: flags.includes("dry-run"),
    rollback: flags.includes("rollback"),
    restart: true,
    verbose: false
  }).pipe(Effect.provide(NodeServices.layer))
)
