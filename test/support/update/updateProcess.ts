import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { runMain } from "../../../src/cli/runMain.ts"
import { updateIn } from "../../../src/cli/update.ts"

// The update command as a process of its own, on the checkout named first; `rollback` after it goes back.
const [directory = "", ...flags] = process.argv.slice(2)

runMain(
  updateIn(directory, {
    version: undefined,
    yes: true,
    dryRun: false,
    rollback: flags.includes("rollback"),
    restart: true,
    verbose: false
  }).pipe(Effect.provide(NodeServices.layer))
)
