import { mkdirSync } from "node:fs"
import { Effect } from "effect"
import type { SettingsShape } from "../../src/services/platform/settings/Settings.ts"
import { temporaryFolder } from "./fileServices.ts"
import { makeApp } from "./makeApp.ts"

/** The whole app with its own folders in an empty place, and requests by JSON. */
export const makeVoiceApp = Effect.fnUntraced(function* (overrides: Partial<SettingsShape> = {}) {
  const folder = yield* temporaryFolder
  mkdirSync(`${folder}/install`)
  const settings = {
    svcHome: `${folder}/svc`,
    installDir: `${folder}/install`,
    voicePhrasesPath: `${folder}/svc/voice-phrases.json`,
    sttModelDir: `${folder}/svc/models`,
    ...overrides
  }
  const app = yield* makeApp({ settings })
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const response = yield* app.request(path, {
      method,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text
    }
  })
  /** Asks for speech; `body` is the audio, or the error as JSON. */
  const speak = Effect.fnUntraced(function* (body: object) {
    const response = yield* app.request("/api/tts", { method: "POST", body: JSON.stringify(body) })
    const bytes = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      error: isJson ? JSON.parse(bytes.toString("utf8")) : undefined
    }
  })
  return { ...app, folder, send, speak }
})
