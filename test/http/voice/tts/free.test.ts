import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Redacted } from "effect"
import { timeStamp } from "../../../../src/services/voice/tts/providers/freeMessages.ts"
import { passTime } from "../../../support/passTime.ts"
import { freeStandIn, sayAudio } from "../../../support/voice/freeStandIn.ts"
import { mp3Bytes } from "../../../support/voice/sounds.ts"
import { makeVoiceApp } from "../../../support/voiceApp.ts"
import { worded } from "../../../support/worded.ts"

const world = Effect.fnUntraced(function* (behaviour: Parameters<typeof freeStandIn>[0]) {
  const voices = yield* freeStandIn(behaviour)
  const app = yield* makeVoiceApp({ freeBaseUrl: voices.url })
  return { voices, app }
})

const SPEAKS: Parameters<typeof freeStandIn>[0] = {
  answer: (socket, talk) => sayAudio(socket, talk, [mp3Bytes("1"), mp3Bytes("2")])
}

describe("speech by the free voices", () => {
  it.effect("without any key: one connection with a stamp, the two messages, the audio joined", () =>
    Effect.gen(function* () {
      const { voices, app } = yield* world(SPEAKS)
      const answer = yield* app.speak({ text: "Tom & <Jerry>" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.bytes, Buffer.concat([mp3Bytes("1"), mp3Bytes("2")]))
      const [talk] = voices.talks
      const url = new URL(talk?.request.url ?? "", "http://x")
      assert.strictEqual(url.pathname, "/voices/v1")
      assert.strictEqual(url.searchParams.get("Sec-MS-GEC"), timeStamp(0))
      assert.match(url.searchParams.get("ConnectionId") ?? "", /^[0-9a-f]{32}$/)
      assert.strictEqual(talk?.request.headers.origin, "chrome-extension://jdiccldimpdaibmpdkjnbmckianbfold")
      assert.match(talk?.request.headers.cookie ?? "", /^muid=[0-9A-F]{32};$/)
      assert.include(talk?.config ?? "", "Path:speech.config")
      assert.include(talk?.ssml ?? "", "<voice name='en-US-AriaNeural'>")
      assert.include(talk?.ssml ?? "", "Tom &amp; &lt;Jerry&gt;")
    })
  )

  it.effect("the voice follows language and gender, unless one is configured or asked for", () =>
    Effect.gen(function* () {
      const { voices, app } = yield* world(SPEAKS)
      yield* app.send("PUT", "/api/language", { language: "de", edgeVoiceGender: "male" })
      yield* app.speak({ text: "eins" })
      yield* app.send("PUT", "/api/tts/config", { free: { voice: "de-DE-AmalaNeural" } })
      yield* app.speak({ text: "eins" })
      yield* app.speak({ text: "eins", voice: "de-AT-JonasNeural" })
      const names = voices.talks.map(({ ssml }) => /voice name='([^']+)'/.exec(ssml)?.[1])
      assert.deepStrictEqual(names, ["de-DE-ConradNeural", "de-DE-AmalaNeural", "de-AT-JonasNeural"])
      assert.isTrue(voices.talks.every(({ ssml }) => ssml.includes("xml:lang='de-DE'")))
    })
  )

  it.effect("a long text takes several connections, each within the service's limit in bytes", () =>
    Effect.gen(function* () {
      const { voices, app } = yield* world(SPEAKS)
      const answer = yield* app.speak({ text: "日本語の文です。".repeat(600) })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(voices.talks.length, 4)
      for (const { ssml } of voices.talks) {
        const text = /<prosody[^>]*>(.*)<\/prosody>/s.exec(ssml)?.[1] ?? ""
        assert.isAtMost(Buffer.byteLength(text), 4096)
        assert.isTrue(text.endsWith("。"))
      }
    })
  )

  it.effect("a stamp that is refused is made again by the service's clock", () =>
    Effect.gen(function* () {
      const ahead = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
      const { voices, app } = yield* world({
        ...SPEAKS,
        refuse: (_, index) =>
          index === 0 ? ["HTTP/1.1 403 Forbidden", `Date: ${DateTime.toDateUtc(ahead).toUTCString()}`] : undefined
      })
      assert.strictEqual((yield* app.speak({ text: "Hello" })).status, 200)
      const stamps = voices.upgrades.map(({ url }) => new URL(url ?? "", "http://x").searchParams.get("Sec-MS-GEC"))
      assert.deepStrictEqual(stamps, [timeStamp(0), timeStamp(DateTime.toEpochMillis(ahead))])
    })
  )
})

const failure = (details: string) => ({ error: "synthesis_failed", details })
const UNREACHED =
  "can't read aloud: the free voices can't be reached. Check the internet connection of the console's machine"
const BROKEN_OFF = "the free voices stopped in the middle: try again"
const SILENT = "the free voices returned no audio: check that the voice speaks this language"

describe("free voices that fail", () => {
  it.effect.each([
    ["refusing for ever", { ...SPEAKS, refuse: () => ["HTTP/1.1 403 Forbidden"] }, UNREACHED],
    ["a fault", { ...SPEAKS, refuse: () => ["HTTP/1.1 500 Oops"] }, UNREACHED],
    ["closing at once", { answer: (socket) => socket.close() }, BROKEN_OFF],
    ["a voice it does not know", { answer: (socket) => socket.close(1007, "Unsupported voice") }, SILENT],
    ["no audio", { answer: (socket, talk) => sayAudio(socket, talk, []) }, SILENT]
  ] satisfies ReadonlyArray<readonly [string, Parameters<typeof freeStandIn>[0], string]>)(
    "by %s",
    ([, behaviour, details]) =>
      Effect.gen(function* () {
        const { app } = yield* world(behaviour)
        assert.deepStrictEqual(worded((yield* app.speak({ text: "Hello" })).error), failure(details))
      })
  )

  it.effect("by asking for patience", () =>
    Effect.gen(function* () {
      const { app } = yield* world({ ...SPEAKS, refuse: () => ["HTTP/1.1 429 Too Many Requests"] })
      const answer = yield* app.speak({ text: "Hello" })
      assert.strictEqual(answer.status, 500)
      assert.strictEqual(answer.headers.get("retry-after"), "10")
    })
  )

  it.effect("by hanging, or breaking off in the middle", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const silent = yield* world({ answer: () => Deferred.doneUnsafe(asked, Effect.void) })
      const speaking = yield* Effect.forkChild(silent.app.speak({ text: "Hello" }))
      yield* Deferred.await(asked)
      assert.deepStrictEqual(
        worded((yield* passTime(speaking)).error),
        failure("the free voices didn't answer within 30 seconds: try again")
      )
      const cut = yield* world({
        answer: (socket, talk, index) => {
          if (index > 0) return sayAudio(socket, talk, [mp3Bytes("1")])
          socket.send(Buffer.concat([Buffer.from("\0\x0BPath:audio\r"), mp3Bytes("1")]), () => socket.close())
        }
      })
      assert.strictEqual((yield* Effect.exit(cut.app.speak({ text: "Hello" })))._tag, "Failure")
      assert.strictEqual((yield* cut.app.speak({ text: "Hello" })).status, 200)
    })
  )
})

describe("POST /api/tts takes", () => {
  it.effect("a text of 1 to 5,000 characters and what it knows, nothing else", () =>
    Effect.gen(function* () {
      const { app } = yield* world(SPEAKS)
      const bad = [
        {},
        { text: "" },
        { text: " \n " },
        { text: 1 },
        { text: "x".repeat(5001) },
        { text: "x", provider: "edge" },
        { text: "x", voice: 1 },
        { text: "x", model: "" }
      ]
      for (const body of bad) {
        const answer = yield* app.speak(body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.error.error, "validation_error")
      }
      assert.strictEqual((yield* app.speak({ text: "x".repeat(5000) })).status, 200)
      assert.strictEqual((yield* app.speak({ text: "x" })).status, 200)
      assert.strictEqual((yield* app.speak({ text: "x" })).status, 429)
    })
  )

  it.effect("a provider that has a key; a body of at most 64 KB", () =>
    Effect.gen(function* () {
      const { app } = yield* world(SPEAKS)
      for (const [provider, name] of [
        ["vendor_a", "OpenAI"],
        ["vendor_b", "Replicate"],
        ["alias", "Replicate"]
      ] as const) {
        const answer = yield* app.speak({ text: "x", provider })
        assert.strictEqual(answer.status, 500)
        const advice =
          "add it to the console's .env file and restart the console, or choose something else in Settings › Voice"
        assert.deepStrictEqual(worded(answer.error), failure(`${name} needs a key: ${advice}`))
      }
      assert.strictEqual((yield* app.speak({ text: "x", more: "x".repeat(65 * 1024) })).status, 413)
    })
  )

  it.effect("vendor_a before vendor_b before the free voices", () =>
    Effect.gen(function* () {
      const nowhere = "http://127.0.0.1:9"
      const a = yield* makeVoiceApp({
        vendorAKey: Redacted.make("a"),
        vendorBToken: Redacted.make("b"),
        vendorABaseUrl: nowhere,
        vendorBBaseUrl: nowhere
      })
      assert.match((yield* a.speak({ text: "x" })).error.details, /^couldn't reach OpenAI/)
      const b = yield* makeVoiceApp({ vendorBToken: Redacted.make("b"), vendorBBaseUrl: nowhere })
      assert.match((yield* b.speak({ text: "x" })).error.details, /^couldn't reach Replicate/)
    })
  )
})
