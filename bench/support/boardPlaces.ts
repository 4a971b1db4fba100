import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer, Redacted } from "effect"
import { TASK_STATUSES } from "../../src/contract/board.ts"
import { Board } from "../../src/services/board/Board.ts"
import { importBoard } from "../../src/services/board/boardArchive.ts"
import { DEFAULT_BOARD_CONFIG } from "../../src/services/board/boardConfig.ts"
import { withoutEvents } from "../../src/services/board/boardEvents.ts"
import { BoardStore } from "../../src/services/board/store/BoardStore.ts"
import { PostgresBoard } from "../../src/services/board/store/postgresBoard.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../test/support/boardStores.ts"
import { freePort } from "../../test/support/freePort.ts"
import { postgresServer } from "../../test/support/postgres.ts"
import { testSettings } from "../../test/support/testSettings.ts"

export const DESCRIPTION = "Look at the failing job, find the cause and say what you would change. ".repeat(4)

/** A whole board is filled in one change, which takes longer than a request may. */
const FILL_MS = 10 * 60 * 1000

const storeAt = (url: string, name: string, patienceMs?: number) => {
  const self = { device: name, owner: `${name}:1`, name, gateway: "here:1" }
  return PostgresBoard({ url: Redacted.make(url), self, ...(patienceMs === undefined ? {} : { patienceMs }) })
}

/** One console's board on a server. */
export const onServer = (url: string, name: string) =>
  Board.layer.pipe(Layer.provideMerge(Layer.merge(storeAt(url, name), EventBus.layer)))

/** Puts so many cards on an empty board. */
const fill = (size: number) =>
  Effect.flatMap(BoardStore, (store) =>
    store.mutate((db, now) => {
      const tasks = Array.from({ length: size }, (_, index) => ({
        runCount: 0,
        task: {
          id: `bench-${index}`,
          title: `Task ${index} of the board`,
          description: DESCRIPTION,
          status: TASK_STATUSES[index % TASK_STATUSES.length] ?? "todo",
          priority: "normal" as const,
          createdBy: "operator",
          createdAt: now,
          updatedAt: now,
          version: 1,
          labels: index % 3 === 0 ? ["bench", `group-${index % 20}`] : [],
          columnOrder: index,
          feedback: [],
          after: [],
          autoStart: false,
          ...(index % 2 === 0 ? { assignee: "agent:main" } : {})
        }
      }))
      const archive = {
        format: "agent-console-board",
        version: 1,
        config: DEFAULT_BOARD_CONFIG,
        tasks,
        proposals: []
      } as const
      // Nobody follows it yet.
      return Effect.map(importBoard(db, archive, { replace: true }), ({ value }) => withoutEvents(value))
    })
  )

/** A server of its own on this machine, durable, with a board of so many cards; gives its address. */
export const freshServer = Effect.fnUntraced(function* (size: number) {
  const server = yield* postgresServer(yield* Effect.promise(freePort), true)
  const url = server.url("postgres")
  yield* Effect.scoped(Effect.provide(fill(size), storeAt(url, "fill", FILL_MS)))
  // What the server's own housekeeping would do within a minute.
  yield* Effect.promise(() => server.psql("postgres", "VACUUM ANALYZE"))
  return url
})

/** The board in a file, with so many cards. */
export const freshHome = Effect.fnUntraced(function* (size: number) {
  const svcHome = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(svcHome, { recursive: true, force: true })))
  const context = yield* Layer.build(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome }))))
  yield* Effect.provideContext(fill(size), context)
  return context
})

/** One console's board on that server, until the scope closes. */
export const consoleOn = (url: string, name: string) =>
  Effect.map(Layer.build(onServer(url, name)), (context) => ({
    board: Context.get(context, Board),
    events: Context.get(context, EventBus)
  }))
