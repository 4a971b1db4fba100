import { Effect } from "effect"
import { temporaryFolder } from "./fileServices.ts"
import { makeApp } from "./makeApp.ts"

/** The whole app with the gateway's and its own folders in an empty place. */
export const makeKnowledgeApp = Effect.fnUntraced(function* () {
  const folder = yield* temporaryFolder
  const gatewayHome = `${folder}/gateway`
  const app = yield* makeApp({
    settings: {
      svcHome: `${folder}/svc`,
      gatewayHome,
      memoryPath: `${gatewayHome}/workspace/MEMORY.md`,
      memoryDir: `${gatewayHome}/workspace/memory`
    }
  })
  /** Sends a JSON body, or whatever text it is given. */
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const response = yield* app.request(path, {
      method,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text }
  })
  return { ...app, send }
})
