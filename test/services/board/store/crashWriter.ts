import { writeSync } from "node:fs"
import { Effect, Layer } from "effect"
import { Board } from "../../../../src/services/board/Board.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../../support/boardStores.ts"
import { testSettings } from "../../../support/testSettings.ts"

/**
 * A given number of writers change the board without end, at the same time, and print after each response what was
 * acknowledged; their parent kills them.
 */
const [svcHome = "", name = "", writers = ""] = process.argv.slice(2)

const write = Effect.fnUntraced(function* (writer: number) {
  const board = yield* Board
  for (let number = 0; ; number += 1) {
    const title = `${name}-${writer}-${number}`
    const task = yield* board.create({ title, labels: ["a", "b"], description: "d".repeat(200) })
    writeSync(1, `${task.id} 1\n`)
    const moved = yield* board.reorder(task.id, { version: 1, targetStatus: "done", targetIndex: 0 })
    writeSync(1, `${moved.id} ${moved.version}\n`)
    yield* board.comment(task.id, { text: "c".repeat(200) })
    writeSync(1, `${moved.id} 3\n`)
  }
})

await Effect.runPromise(
  Effect.forEach(
    Array.from({ length: Number(writers) }, (_, writer) => writer),
    write,
    {
      concurrency: "unbounded",
      discard: true
    }
  ).pipe(Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))))
)
