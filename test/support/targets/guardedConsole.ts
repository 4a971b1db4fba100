import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { hashPassword } from "../../../src/services/access/auth/passwordHash.ts"
import { failures, makeAnsweringGateway } from "../answeringGateway.ts"
import { temporaryFolder } from "../fileServices.ts"
import { listen } from "../listen.ts"
import type { Door } from "./complaintAbout.ts"
import { diskState } from "./diskState.ts"

/** The responses allowed without a session. */
const INDEX = "<!doctype html><title>the page</title>\n"
const PASSWORD = "open sesame"
const FILES = {
  "web/index.html": INDEX,
  "gateway/workspace/MEMORY.md": "# Memory\n\n- a fact\n",
  "gateway/workspace/memory/2026-05-04.md": "- a note\n",
  "gateway/workspace/notes.md": "# Notes\n",
  "gateway/openclaw.json": "{}"
}

/** A parameter or the rest of a path becomes a word. */
const pathOf = (pattern: string): string =>
  pattern
    .split("/")
    .map((segment) => (segment === "*" ? "anything" : segment.startsWith(":") ? "id1" : segment))
    .join("/")

/**
 * A whole console on loopback with sign-in on, files, a board and a gateway, and what is monitored during requests
 * without a session: everything on disk, and every request to the gateway.
 */
export const guardedConsole = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const gatewayHome = `${folder}/gateway`
  const gateway = yield* Effect.provide(EmbeddedGateway, yield* Layer.build(practiceGateway()))
  const client = yield* makeAnsweringGateway(() => Effect.fail(failures.unreachable))
  const server = yield* listen(
    {
      authEnabled: true,
      passwordHash: Redacted.make(yield* hashPassword(PASSWORD)),
      development: true,
      svcHome: `${folder}/svc`,
      installDir: `${folder}/install`,
      webRoot: `${folder}/web`,
      gatewayHome,
      gatewayUrl: gateway.url,
      gatewayToken: gateway.token,
      memoryPath: `${gatewayHome}/workspace/MEMORY.md`,
      memoryDir: `${gatewayHome}/workspace/memory`,
      agentADir: `${folder}/agent-a`,
      sttModelDir: `${folder}/models`
    },
    client.layer
  )
  const { http } = server.ports
  const door: Door = { host: `127.0.0.1:${http}`, index: INDEX }
  yield* indexed(server.base)
  yield* settled(() => [client.calls.length, ...diskState(folder).values()].join())
  // The console repeats its own requests from time to time.
  const own = new Set(client.calls.map(({ method }) => method))
  return {
    port: http,
    door,
    paths: [...new Set(server.routes.map(({ pattern }) => pathOf(pattern)))].sort(),
    /** Names and contents of all files of the console, its gateway and their workspaces. */
    disk: Effect.sync(() => diskState(folder)),
    /** The requests to the gateway on behalf of a user, by its client or by other code. */
    gatewayRequests: Effect.gen(function* () {
      const { requests, frames } = gateway.control
      return [...client.calls.filter(({ method }) => !own.has(method)), ...(yield* requests), ...(yield* frames)]
    })
  }
})

export type GuardedConsole = Effect.Success<typeof guardedConsole>

/**
 * Waits for the writes of a console after its start: the search index, the count of tokens, and the
 * row of its readiness check.
 */
const indexed = Effect.fnUntraced(function* (base: string) {
  const headers = { cookie: yield* signIn(base) }
  const get = (path: string) =>
    Effect.promise(() => fetch(`${base}${path}`, { headers }).then((answer) => answer.text()))
  yield* get("/api/tokens")
  // Each readiness check writes the same row again.
  yield* get("/readyz")
  yield* get("/api/search?q=anything").pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: (page) => page.includes('"state":"ready"') })
  )
})

/** Waits until a value hasn't changed for half a second. */
const settled = Effect.fnUntraced(function* (value: () => string) {
  let last = value()
  let same = 0
  while (same < 5) {
    yield* Effect.sleep("100 millis")
    const now = value()
    same = now === last ? same + 1 : 0
    last = now
  }
})

/** Signs in with the right password; the session's cookie. */
export const signIn = Effect.fnUntraced(function* (base: string) {
  const answer = yield* Effect.promise(() =>
    fetch(`${base}/api/auth/login`, { method: "POST", body: JSON.stringify({ password: PASSWORD }) })
  )
  yield* Effect.promise(() => answer.text())
  return answer.headers.get("set-cookie")?.split(";")[0] ?? ""
})
