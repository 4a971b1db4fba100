import { it } from "@effect/vitest"
import { Effect } from "effect"
import { walkBoard } from "../support/boardWalk.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

/** The address the console prints when it listens. */
const addressOf = (running: Effect.Success<ReturnType<typeof startConsole>>) =>
  Effect.callback<string>((resume) => {
    const look = () => {
      const url = /Open +(http:\S+)/.exec(running.stdout())?.[1]
      if (url !== undefined) resume(Effect.succeed(url))
    }
    running.child.stdout?.on("data", look)
    look()
  })

it.live(
  "every row of the transition tables holds in a running console with the embedded gateway",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const running = yield* startConsole({ directory, args: ["serve", "--demo"], variables: { PORT: "0" } })
      const url = yield* addressOf(running)
      yield* walkBoard({ url, proposing: "Suggest a task", failing: "Please fail", hanging: "Now hang" })
    }),
  60_000
)
