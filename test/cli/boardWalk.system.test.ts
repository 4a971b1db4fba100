import { it } from "@effect/vitest"
import { Effect } from "effect"
import { walkBoard } from "../support/boardWalk.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

it.live("every row of the transition tables holds in a running console with the embedded gateway", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const running = yield* startConsole({ directory, args: ["serve", "--demo"], variables: { PORT: "0" } })
    const url = yield* consoleAddress(running)
    yield* walkBoard({ url, proposing: "Suggest a task", failing: "Please fail", hanging: "Now hang" })
  })
)
