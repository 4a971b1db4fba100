import { writeSync } from "node:fs"
import { Effect, Layer } from "effect"
import { Board } from "../../../src/services/board/Board.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../support/boardStores.ts"
import { testSettings } from "../../support/testSettings.ts"

/** Writes to the board without end and says after each answer what was acknowledged; its parent kills it. */
const [svcHome = "", name = ""] = process.argv.slice(2)

const write = Effect.gen(function* () {
  const board = yield* Board
  for (let number = 0; ; number += 1) {
    const task = yield* board.create({ title: `${name}-${number}`, labels: ["a", "b"], description: "d".repeat(200) })
    writeSync(1, `${task.id} 1\n`)
    const moved = yield* board.reorder(task.id, { version: 1, targetStatus: "done", targetIndex: 0 })
    writeSync(1, `${moved.id} ${moved.version}\n`)
  }
})

await Effect.runPromise(
  write.pipe(Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))))
)
