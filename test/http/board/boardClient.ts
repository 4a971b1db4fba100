import { Effect, Schema } from "effect"
import { makeApp, type TestAppOptions } from "../../support/makeApp.ts"

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
export const makeBoardClient = Effect.fnUntraced(function* (options: TestAppOptions = {}) {
  const app = yield* makeApp(options)
  let calls = 0
  const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    calls += 1
    const response = yield* app.request(`/api/kanban/${path}`, {
      method,
      // Another client each time: the rate limit is not the subject here.
      peer: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    const json: unknown = JSON.parse(text)
    const { id = "", version = 0, columnOrder = -1, details } = decodeBody(json)
    return { status: response.status, json, id, version, columnOrder, details } satisfies Answer
  })
  /** Lets the database grow to so many pages and no more, as a full disk would. */
  const limitPages = (pages: number) => app.sqlite.read((db) => db.get(`PRAGMA max_page_count = ${pages}`))
  return { app, call, limitPages }
})
