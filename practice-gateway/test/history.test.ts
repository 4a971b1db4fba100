import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Frame, Link } from "../../test/support/gatewayLink.ts"
import newer from "../../web/test/core/conversation/history/recorded/new.json" with { type: "json" }
import older from "../../web/test/core/conversation/history/recorded/old.json" with { type: "json" }
import { practiceGateway } from "../older/practiceGateway.ts"
import type { DemoAgent } from "../src/demo/steps.ts"
import { operator } from "./operator.ts"

const DATA = Buffer.from("the bytes of a picture").toString("base64")
const FILES = {
  picture: { path: "/home/ada/.openclaw/workspace/red.png", mimeType: "image/png", width: 320, height: 200 },
  song: { path: "/home/ada/tone.wav", mimeType: "audio/wav" },
  paper: { path: "/home/ada/doc.pdf", mimeType: "application/pdf" }
}

const LONG = "words ".repeat(3_000)
const VERY_LONG = "words ".repeat(30_000)

const agent: DemoAgent = ({ text }) => {
  if (text === "relative")
    return [
      { type: "text", text: "Here it is:" },
      { type: "media", data: DATA, ...FILES.picture, path: "./red.png" }
    ]
  if (text === "long") return [{ type: "text", text: LONG }]
  if (text === "very long") return [{ type: "text", text: VERY_LONG }]
  if (text === "files")
    return [
      { type: "text", text: "Files:" },
      { type: "media", data: DATA, ...FILES.paper },
      { type: "media", data: DATA, ...FILES.song }
    ]
  const picture = { type: "media", data: DATA, ...FILES.picture } as const
  return text === "only" ? [picture] : [{ type: "text", text: "Here it is:" }, picture]
}

const turn = Effect.fnUntraced(function* (link: Link, message: string, more: object = {}) {
  const runId = `run-${message}`
  yield* link.call("chat.send", { sessionKey: "main", message, idempotencyKey: runId, ...more })
  const isEnd = ({ event, payload }: Frame) => event === "chat" && payload?.runId === runId && payload.state === "final"
  return yield* link.waitFor(isEnd)
})

/** The newer generation has the files of an answer a moment after it. */
const served = (link: Link) =>
  link.waitFor(({ event, payload }) => event === "sessions.changed" && payload?.phase === "message")

const messagesOf = (answer: Frame["payload"]): ReadonlyArray<Record<string, unknown>> => {
  const messages = answer?.messages
  return Array.isArray(messages) ? messages : []
}

const keysOf = (value: unknown): ReadonlyArray<string> => Object.keys(Object(value)).toSorted()

const partsOf = (message: Record<string, unknown> | undefined): ReadonlyArray<Record<string, unknown>> => {
  const content = message?.content
  return Array.isArray(content) ? content : []
}

describe("history of the newer generation", () => {
  const layer = practiceGateway({ generation: "new", tokenMs: 0, seed: false, agent })

  it.live("lists files an agent sent in the recorded shape, and serves them to who has the token", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      yield* link.call("sessions.subscribe")
      const final = yield* turn(link, "picture")
      assert.include(JSON.stringify(final.payload), "Here it is:")
      const [, early] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      assert.deepStrictEqual(partsOf(early), [{ type: "text", text: `Here it is:\nMEDIA:${FILES.picture.path}` }])
      yield* served(link)
      const [, answer] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const [text, picture] = partsOf(answer)
      assert.deepStrictEqual(text, { type: "text", text: "Here it is:" })
      assert.deepStrictEqual(keysOf(picture), keysOf(newer.after.history.messages[1]?.content[1]))
      const url = `${gateway.url}${picture?.url}`
      const bearer = { authorization: `Bearer ${Redacted.value(gateway.token)}` }
      const get = (address: string, headers: Record<string, string> = {}) =>
        Effect.promise(async () => {
          const response = await fetch(address, { headers })
          return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
        })
      assert.strictEqual((yield* get(url)).status, 401)
      assert.strictEqual((yield* get(url, { authorization: "Bearer x" })).status, 401)
      assert.deepStrictEqual(yield* get(url, bearer), {
        status: 200,
        type: "image/png",
        text: "the bytes of a picture"
      })
      assert.deepInclude(yield* get(url, { ...bearer, range: "bytes=4-8" }), { status: 206, text: "bytes" })
      assert.strictEqual((yield* get(url, { ...bearer, range: "bytes=99-" })).status, 416)
      assert.strictEqual((yield* get(url.replace("/full", "/other"), bearer)).status, 404)
      assert.strictEqual((yield* get(url.replace(/[0-9a-f]{12}\/full/, "000000000000/full"), bearer)).status, 404)
    }).pipe(Effect.provide(layer))
  )

  it.live("lists recordings and papers, too", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* link.call("sessions.subscribe")
      yield* turn(link, "files")
      yield* served(link)
      const [, answer] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const [, paper, song] = partsOf(answer)
      const [, recordedPaper, , recordedSong] = newer.files.history.messages[1]?.content ?? []
      assert.deepStrictEqual(keysOf(paper), keysOf(recordedPaper))
      assert.deepStrictEqual(keysOf(song), keysOf(recordedSong))
    }).pipe(Effect.provide(layer))
  )

  it.live("reports files while it streams, and ends without text if there is none", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      const final = yield* turn(link, "only")
      assert.isUndefined(final.payload?.message)
      const withMedia = link.frames.filter(({ payload }) => JSON.stringify(payload).includes("mediaUrls"))
      assert.lengthOf(withMedia, 1)
      assert.notInclude(JSON.stringify(link.frames), "MEDIA:")
    }).pipe(Effect.provide(layer))
  )

  it.live("serves the pictures people sent under the names the history gives", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      yield* turn(link, "look", { attachments: [{ type: "image", mimeType: "image/png", content: DATA }] })
      const [question] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const source = /media:\/\/inbound\/[\w.-]+/.exec(JSON.stringify(question))?.[0] ?? ""
      const address = `${gateway.url}/__openclaw__/assistant-media?source=${encodeURIComponent(source)}`
      const headers = { authorization: `Bearer ${Redacted.value(gateway.token)}` }
      const text = yield* Effect.promise(async () => (await fetch(address, { headers })).text())
      assert.strictEqual(text, "the bytes of a picture")
      assert.strictEqual(yield* Effect.promise(async () => (await fetch(address)).status), 401)
    }).pipe(Effect.provide(layer))
  )

  it.live("leaves out what is too large, which can be asked for by itself", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* turn(link, "very long")
      const [, answer] = messagesOf(yield* link.call("chat.history", { sessionKey: "main", maxChars: 200_000 }))
      const recorded = newer.long.history.messages[0]
      assert.deepStrictEqual(answer?.content, recorded?.content)
      assert.deepStrictEqual(
        keysOf(answer?.__openclaw).filter((key) => key !== "transcriptPosition"),
        keysOf(recorded?.__openclaw)
      )
      const messageId = String(Object(answer?.__openclaw).id)
      const whole = yield* link.call("chat.message.get", { sessionKey: "main", messageId })
      assert.strictEqual(partsOf(Object(whole.message))[0]?.text, VERY_LONG)
      assert.deepStrictEqual(yield* link.call("chat.message.get", { sessionKey: "main", messageId: "nothing" }), {
        ok: false,
        unavailableReason: "not_found"
      })
      const [, cut] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      assert.deepInclude(Object(cut?.__openclaw), { truncated: true, reason: "display-cap" })
    }).pipe(Effect.provide(layer))
  )

  it.live("says of its own messages where they come from", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      const provenance = { kind: "internal_system", sourceTool: "main_session_restart_recovery" }
      yield* gateway.control.inject("agent:main:main", "[System] Go on.", provenance)
      const [withMedia] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      assert.deepInclude(withMedia, { role: "user", content: "[System] Go on.", provenance })
    }).pipe(Effect.provide(layer))
  )
})

describe("history of the older generation", () => {
  const layer = practiceGateway({ generation: "old", tokenMs: 0, seed: false, agent })

  it.live("keeps the line that sends a file, of which the stream shows the beginning only", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      const final = yield* turn(link, "picture")
      assert.include(JSON.stringify(final.payload), "Here it is:")
      assert.notInclude(JSON.stringify(final.payload), "MEDIA")
      assert.include(JSON.stringify((yield* turn(link, "relative")).payload), "Here it is:\\nMEDIA:.")
      const [, answer] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const recorded = older.after.history.messages[1]?.content
      assert.deepStrictEqual(partsOf(answer), recorded)
      const status = yield* Effect.promise(
        async () => (await fetch(`${gateway.url}/__openclaw__/assistant-media?source=x`)).status
      )
      assert.strictEqual(status, 404)
    }).pipe(Effect.provide(layer))
  )

  it.live("mentions pictures without their bytes, and includes them in stored messages", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* turn(link, "look", { attachments: [{ type: "image", mimeType: "image/png", content: DATA }] })
      const [question] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const [, picture] = partsOf(question)
      assert.deepStrictEqual(keysOf(picture), keysOf(older.person.history.messages[0]?.content[1]))
      const [stored] = messagesOf(yield* link.call("sessions.get", { key: "main", limit: 20 }))
      const [text, kept] = partsOf(stored)
      assert.match(
        String(text?.text),
        /^Sender \(untrusted metadata\):\n```json\n[\s\S]*```\n\n\[\w{3} \d{4}-.* UTC\] look$/
      )
      assert.deepStrictEqual(keysOf(kept), keysOf(older.person.get.messages[0]?.content[1]))
    }).pipe(Effect.provide(layer))
  )

  it.live("cuts after 12,000 characters, and does not know single messages", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* turn(link, "long")
      const [, answer] = messagesOf(yield* link.call("chat.history", { sessionKey: "main" }))
      const text = String(partsOf(answer)[0]?.text)
      assert.strictEqual(text, `${LONG.slice(0, 12_000)}\n...(truncated)...`)
      const [, stored] = messagesOf(yield* link.call("sessions.get", { key: "main" }))
      assert.strictEqual(partsOf(stored)[0]?.text, LONG)
      const refused = yield* link.request("chat.message.get", { sessionKey: "main", messageId: "x" })
      assert.include(refused.error?.message ?? "", "unknown method")
      const [last] = messagesOf(yield* link.call("sessions.get", { key: "main", limit: 1 }))
      assert.strictEqual(last?.role, "assistant")
    }).pipe(Effect.provide(layer))
  )
})
