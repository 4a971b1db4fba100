import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Board } from "../../../../src/services/board/Board.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../../support/boardStores.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** The acknowledgements of the writers before they ended: the last version of each task. */
export type Acknowledged = ReadonlyMap<string, number>

/** Reads what `crashWriter.ts` prints; a last line that isn't complete doesn't count. */
export const acknowledgedIn = (text: string): Acknowledged =>
  new Map(
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [id = "", version] = line.split(" ")
        return [id, Number(version)] as const
      })
  )

/**
 * Everything that was acknowledged is there, and nothing is half-written. At most `unacknowledged` tasks are there that
 * was acknowledged: one for each writer that was ended.
 */
export const checkCrashedBoard = (svcHome: string, acknowledged: Acknowledged, unacknowledged: number) =>
  Effect.gen(function* () {
    const board = yield* Board
    for (const [id, version] of acknowledged) {
      assert.isAtLeast((yield* board.get(id)).version, version)
    }
    let seen = 0
    const places = new Map<string, number>()
    for (let offset = 0; ; offset += 200) {
      const page = yield* board.list({ statuses: [], priorities: [], limit: 200, offset })
      for (const task of page.items) {
        const place = places.get(task.status) ?? 0
        assert.strictEqual(task.columnOrder, place)
        places.set(task.status, place + 1)
        const comments = yield* board.comments(task.id)
        assert.strictEqual(comments.length, task.commentCount ?? 0)
        assert.isTrue(comments.every(({ text }) => text === "c".repeat(200)))
        assert.strictEqual(task.version, task.status === "done" ? 2 + comments.length : 1)
        assert.strictEqual(task.description, "d".repeat(200))
        assert.deepStrictEqual(task.labels, ["a", "b"])
      }
      seen += page.items.length
      if (!page.hasMore) break
    }
    assert.isAtLeast(seen, acknowledged.size)
    assert.isAtMost(seen, acknowledged.size + unacknowledged)
  }).pipe(Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))))
