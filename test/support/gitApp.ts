import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { temporaryFolder } from "./fileServices.ts"
import { makeApp } from "./makeApp.ts"

/** An app started in `base/console`, so that everything in `base` may be registered. */
export const makeGitApp = Effect.fnUntraced(function* (settings: { readonly workspaceRoot?: string } = {}) {
  const folder = yield* temporaryFolder
  const base = join(folder, "base")
  mkdirSync(join(base, "console"), { recursive: true })
  const app = yield* makeApp({ settings: { installDir: join(base, "console"), ...settings } })
  let requests = 0
  const ask = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    requests += 1
    const init = { method, peer: `10.0.0.${requests}`, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = yield* app.request(path, init)
    return { status: response.status, body: yield* app.json(response) }
  })
  const register = (sessionKey: string, workdir: string) =>
    ask("POST", "/api/git-info/workdir", { sessionKey, workdir }).pipe(Effect.map(({ status }) => status))
  const answer = (sessionKey?: string) =>
    ask("GET", `/api/git-info${sessionKey === undefined ? "" : `?sessionKey=${encodeURIComponent(sessionKey)}`}`)
  const state = (sessionKey?: string) => Effect.map(answer(sessionKey), ({ body }) => body)
  /** The state of a folder, registered for that. */
  const stateOf = (workdir: string) => Effect.andThen(register(workdir, workdir), state(workdir))
  return { folder, base, ask, register, answer, state, stateOf }
})
