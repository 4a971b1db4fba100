import { spawn, spawnSync } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { boardDatabaseVersion } from "../../../../src/services/board/store/preparePostgres.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../../../support/postgres.ts"
import { sharedBoard } from "../sharedBoard.ts"

const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0
if (!hasPooler) console.log("skipped: pgbouncer isn't installed")

const sentence = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

/** What makes the pooler take the console's parameters, and leave them out. */
const LENIENT =
  "ignore_startup_parameters = search_path, synchronous_commit, lock_timeout, statement_timeout, idle_in_transaction_session_timeout"

/** A pooler in front of a server of its own; gives the address that leads through it. */
const pooler = (more: string) =>
  Effect.gen(function* () {
    const pg = yield* postgresServer(yield* Effect.promise(freePort))
    const port = yield* Effect.promise(freePort)
    const file = join(pg.folder, "pgbouncer.ini")
    const lines = [
      "[databases]",
      `postgres = host=127.0.0.1 port=${pg.port} user=console`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "auth_type = any",
      "unix_socket_dir =",
      more
    ]
    writeFileSync(file, `${lines.join("\n")}\n`)
    chmodSync(file, 0o644)
    yield* Effect.acquireRelease(
      Effect.sync(() => spawn("pgbouncer", [file], { stdio: ["ignore", "ignore", "pipe"], ...pg.user })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ).pipe(
      Effect.flatMap((child) =>
        Effect.callback<void>((resume) => {
          let said = ""
          child.stderr.on("data", (chunk: Buffer) => {
            said += chunk
            if (said.includes("process up")) resume(Effect.void)
          })
          child.on("exit", () => resume(Effect.die(new Error(said))))
        })
      )
    )
    return pg.url("postgres", port)
  })

describe.skipIf(!hasPostgres || !hasPooler)(`a connection pooler (${NEEDS_POSTGRES})`, () => {
  it.live.each([
    ["as it's installed", ""],
    ["that takes the console's parameters and leaves them out", LENIENT],
    ["by transaction", `pool_mode = transaction\n${LENIENT}`]
  ] as const)("%s is named by the doctor and by a console that starts", ([, more]) =>
    Effect.gen(function* () {
      const url = yield* pooler(more)
      const told = "BOARD_URL leads to a connection pooler"
      assert.include(yield* sentence(boardDatabaseVersion(Redacted.make(url))), told)
      const { board, store } = yield* sharedBoard(url)
      assert.include(yield* sentence(board.list(everything)), told)
      assert.include(yield* store.shared?.problem ?? Effect.undefined, told)
    })
  )
})
