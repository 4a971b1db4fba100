import { inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { walkBoard } from "../support/boardWalk.ts"
import { startConsole } from "./support/consoleProcess.ts"
import { describeOn } from "./support/describeOn.ts"

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the board and gateway ${gateway.version}`, () => {
    it.live("go together through every row of the transition tables", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const marker = '[kanban:create]{"title":"Follow up"}[/kanban:create]'
        yield* walkBoard({
          url,
          proposing: `Say it [[mock:text=Done. ${marker} Bye.]]`,
          failing: "Fail [[mock:error=400]]",
          hanging: "Hang [[mock:text=never finished]] [[mock:hang]]"
        })
      }).pipe(Effect.scoped)
    )
  })
}
