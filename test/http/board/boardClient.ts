import { Effect, Schema } from "effect"
import type { SettingsShape } from "../../../src/services/settings/Settings.ts"
import { makeApp } from "../../support/makeApp.ts"

/** The fields that tests look at, of whichever body came back. */
const AnswerBody = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.Finite),
  columnOrder: Schema.optionalKey(Schema.Finite),
  details: Schema.optionalKey(Schema.String)
})
const decodeBody = Schema.decodeUnknownSync(AnswerBody)

/** What a board route answered. */
export interface Answer {
  readonly status: number
  /** The whole body, for comparisons. */
  readonly json: unknown
  readonly id: string
  readonly version: number
  readonly columnOrder: number
  readonly details: string | undefined
}

/** The whole app with a short way to call the board's routes; a string body is sent as it is. */
export const makeBoardClient = Effect.fnUntraced(function* (overrides: Partial<SettingsShape> = {}) {
  const app = yield* makeApp({ settings: overrides })
  const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const response = yield* app.request(`/api/kanban/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    const json: unknown = JSON.parse(text)
    const { id = "", version = 0, columnOrder = -1, details } = decodeBody(json)
    return { status: response.status, json, id, version, columnOrder, details } satisfies Answer
  })
  return { app, call }
})
