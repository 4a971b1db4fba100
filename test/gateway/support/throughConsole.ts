import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { type Frame, type Link, openLink } from "../../support/gatewayLink.ts"
import { startConsole } from "./consoleProcess.ts"

const Text = Schema.Union([Schema.String, Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) }))])
const decodeMessage = Schema.decodeUnknownSync(Schema.Struct({ content: Text }))
const decodeHistory = Schema.decodeUnknownEffect(
  Schema.Struct({ messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Text })) })
)

const textOf = (content: typeof Text.Type): string =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("")

/** The text of a `chat` event, empty without one. */
export const saidIn = ({ payload }: Frame): string =>
  payload?.message === undefined ? "" : textOf(decodeMessage(payload.message).content)

/** The console takes sixty questions of a kind in a minute. */
export const patiently = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("1200 millis"), until: isIt }), Effect.timeout("150 seconds"))

/** A console's process of its own in front of a gateway, a page's link through it, and its routes. */
export const throughConsole = Effect.fnUntraced(function* (gateway: { readonly url: string; readonly token: string }) {
  const { url, port } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
  /** A page: it has neither token nor device, both of which the console adds. */
  const openPage = Effect.gen(function* () {
    const link = yield* openLink(`ws://127.0.0.1:${port}/ws`, { origin: url })
    const hello = yield* link.connect({ caps: ["tool-events", "approvals"], client: { platform: "web" } })
    assert.isTrue(hello.ok, JSON.stringify(hello))
    return link
  })
  const page = yield* openPage

  const send = (method: string, path: string, body?: object) =>
    Effect.tryPromise(async (): Promise<unknown> => {
      const answer = await fetch(`${url}${path}`, { method, body: body === undefined ? null : JSON.stringify(body) })
      const text = await answer.text()
      assert.isTrue(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    })
  const read = <A>(path: string, shape: Schema.Decoder<A>) =>
    Effect.flatMap(send("GET", path), Schema.decodeUnknownEffect(shape))

  /** Sends a message in a session of its own or a given one. */
  const say = Effect.fnUntraced(function* (
    message: string,
    sessionKey = `agent:main:${randomUUID()}`,
    on: Link = page
  ) {
    const runId = randomUUID()
    const ofRun = ({ event, payload }: Frame) => event === "chat" && payload?.runId === runId
    const { status } = yield* on.call("chat.send", { sessionKey, message, idempotencyKey: runId })
    assert.strictEqual(status, "started")
    return {
      runId,
      sessionKey,
      /** The run's first words. */
      begun: on.waitFor((frame) => ofRun(frame) && frame.payload?.state === "delta" && saidIn(frame) !== ""),
      /** The run's end. */
      ended: on.waitFor((frame) => ofRun(frame) && /^(final|error|aborted)$/.test(String(frame.payload?.state))),
      events: Effect.sync(() => on.frames.filter(ofRun))
    }
  })
  const history = Effect.fnUntraced(function* (sessionKey: string, on: Link = page) {
    const { messages } = yield* Effect.flatMap(on.call("chat.history", { sessionKey }), decodeHistory)
    return messages.map(({ role, content }) => `${role}: ${textOf(content)}`)
  })
  return { url, page, openPage, send, read, say, history }
})
