import { randomUUID } from "node:crypto"
import { writeSync } from "node:fs"
import { Effect, Layer } from "effect"
import { DEFAULT_BOARD_CONFIG } from "../../../../src/services/board/boardConfig.ts"
import { withoutEvents } from "../../../../src/services/board/boardEvents.ts"
import { makeNextCard } from "../../../../src/services/board/routines/routineCards.ts"
import { createRoutine } from "../../../../src/services/board/routines/routineRules.ts"
import { BoardStore } from "../../../../src/services/board/store/BoardStore.ts"
import { firstRoutine, saveRoutine } from "../../../../src/services/board/store/routineStore.ts"
import { NO_CONDITIONS } from "../../../../src/services/holds/StartHolds.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../../support/boardStores.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** Makes the card of each minute, one after the other and as fast as the disk can, until its parent kills it. */
const [svcHome = ""] = process.argv.slice(2)

const everyMinute = createRoutine(
  { name: "Minutes", schedule: { cron: "* * * * *", zone: "UTC" }, task: { title: "{n}" }, skipWhileOpen: false },
  { id: "minutes", now: Date.parse("2026-11-30T08:00:00Z"), zone: "UTC" }
)

const write = Effect.gen(function* () {
  const store = yield* BoardStore
  yield* store.mutate(
    Effect.fnUntraced(function* (db) {
      if ((yield* firstRoutine(db)) === undefined) yield* saveRoutine(db, everyMinute)
      return withoutEvents(undefined)
    })
  )
  for (;;) {
    const due = yield* store.read(firstRoutine)
    yield* store.mutate((db) =>
      makeNextCard({
        db,
        now: due?.nextAt ?? 0,
        conditions: NO_CONDITIONS,
        config: DEFAULT_BOARD_CONFIG,
        newId: () => randomUUID()
      })
    )
    writeSync(1, `${due?.made}\n`)
  }
})

await Effect.runPromise(
  write.pipe(Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))))
)
