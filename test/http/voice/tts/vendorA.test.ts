import { chmodSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { audioFormat } from "../../../../src/services/voice/audio/audioTool.ts"
import { fileThere } from "../../../support/fileThere.ts"
import { passTime } from "../../../support/passTime.ts"
import { hasFfmpeg } from "../../../support/voice/hasFfmpeg.ts"
import { type Answer, httpStandIn } from "../../../support/voice/httpStandIn.ts"
import { mp3Bytes, taggedMp3, toneWav } from "../../../support/voice/sounds.ts"
import { makeVoiceApp } from "../../../support/voiceApp.ts"
import { worded } from "../../../support/worded.ts"

const world = Effect.fnUntraced(function* (answer: Answer, more: { readonly ffmpegCommand?: string } = {}) {
  const vendor = yield* httpStandIn(answer)
  const app = yield* makeVoiceApp({
    vendorAKey: Redacted.make("key-a"),
    vendorABaseUrl: `${vendor.url}/v1`,
    ...more
  })
  return { vendor, app }
})

const giveMp3: Answer = ({ body }, response) => {
  const { input } = JSON.parse(body.toString("utf8"))
  response.writeHead(200, { "content-type": "audio/mpeg" }).end(mp3Bytes(input.slice(0, 1)))
}

describe("speech by vendor_a", () => {
  it.effect("is asked as its reference says, and answered as audio/mpeg", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(giveMp3)
      yield* app.send("PUT", "/api/tts/config", { vendor_a: { instructions: "whisper", voice: "nova" } })
      const answer = yield* app.speak({ text: "  Hello  " })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "audio/mpeg")
      assert.deepStrictEqual(answer.bytes, mp3Bytes("H"))
      const [asked] = vendor.seen
      assert.strictEqual(`${asked?.method} ${asked?.url}`, "POST /v1/audio/speech")
      assert.strictEqual(asked?.headers.authorization, "Bearer key-a")
      assert.strictEqual(asked?.headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(asked?.body.toString() ?? ""), {
        model: "gpt-4o-mini-tts",
        voice: "nova",
        input: "Hello",
        response_format: "mp3",
        instructions: "whisper"
      })
      yield* app.speak({ text: "Hello", model: "tts-1", voice: "echo" })
      assert.deepStrictEqual(JSON.parse(vendor.seen[1]?.body.toString() ?? ""), {
        model: "tts-1",
        voice: "echo",
        input: "Hello",
        response_format: "mp3"
      })
    })
  )

  it.effect("the first bytes reach the browser while the vendor still speaks", () =>
    Effect.gen(function* () {
      const goOn = yield* Deferred.make<() => void>()
      const { app } = yield* world((_, response) => {
        response.writeHead(200, { "content-type": "audio/mpeg" })
        response.write(mp3Bytes("1"))
        Deferred.doneUnsafe(
          goOn,
          Effect.succeed(() => response.end(mp3Bytes("2")))
        )
      })
      const response = yield* app.request("/api/tts", { method: "POST", body: '{"text":"Hello"}' })
      const reader = response.body?.getReader()
      const first = yield* Effect.promise(async () => reader?.read())
      assert.deepStrictEqual(Buffer.from(first?.value ?? []), mp3Bytes("1"))
      const finish = yield* Deferred.await(goOn)
      finish()
      const second = yield* Effect.promise(async () => reader?.read())
      assert.deepStrictEqual(Buffer.from(second?.value ?? []), mp3Bytes("2"))
      assert.isTrue((yield* Effect.promise(async () => reader?.read()))?.done)
    })
  )

  it.effect("the same words are made once: at the same time, and again until they are too old", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(giveMp3)
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => app.speak({ text: "Hello" }), {
        concurrency: "unbounded"
      })
      assert.isTrue(answers.every(({ bytes }) => bytes.equals(mp3Bytes("H"))))
      assert.lengthOf(vendor.seen, 1)
      yield* app.speak({ text: "Hello", voice: "nova" })
      yield* app.speak({ text: " Hello " })
      assert.lengthOf(vendor.seen, 2)
      yield* TestClock.adjust("1 hour")
      yield* app.speak({ text: "Hello" })
      assert.lengthOf(vendor.seen, 3)
    })
  )

  it.effect("a text over the vendor's limit is cut at sentence ends and joined without the tags between", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(({ body }, response) => {
        const { input } = JSON.parse(body.toString())
        response.writeHead(200, { "content-type": "audio/mpeg" }).end(taggedMp3(input.slice(0, 1)))
      })
      const sentence = (letter: string) => `${letter.repeat(2400)}. `
      const answer = yield* app.speak({ text: sentence("A") + sentence("B") })
      assert.deepStrictEqual(answer.bytes, Buffer.concat([taggedMp3("A"), mp3Bytes("B")]))
      assert.lengthOf(vendor.seen, 2)
    })
  )

  it.effect.skipIf(!hasFfmpeg)("audio of another format is converted (needs ffmpeg)", () =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) =>
        response.writeHead(200, { "content-type": "audio/wav" }).end(toneWav())
      )
      const answer = yield* app.speak({ text: "Hello" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(audioFormat(answer.bytes), "mp3")
      assert.isAbove(answer.bytes.length, 1000)
    })
  )
})

const failure = (details: string) => ({ error: "synthesis_failed", details })

describe("vendor_a that fails", () => {
  it.effect.each([
    [401, "OpenAI rejected the key: check it in the console's .env file"],
    [400, "OpenAI rejected the request (400): check the voice, model and language"],
    [500, "OpenAI failed (500): try again later"],
    [503, "OpenAI failed (503): try again later"]
  ] as const)("with %d", ([status, details]) =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) => response.writeHead(status).end('{"error":{"message":"sk-secret"}}'))
      const answer = yield* app.speak({ text: "Hello" })
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(worded(answer.error), failure(details))
    })
  )

  it.effect(
    "with 429: that is a failure of the vendor, and its Retry-After is handed on, and the next request asks again",
    () =>
      Effect.gen(function* () {
        const { vendor, app } = yield* world((_, response) => response.writeHead(429, { "retry-after": "7" }).end("{}"))
        const answer = yield* app.speak({ text: "Hello" })
        assert.strictEqual(answer.status, 500)
        assert.strictEqual(answer.headers.get("retry-after"), "7")
        assert.deepStrictEqual(worded(answer.error), {
          error: "synthesis_failed",
          details: "too many requests to OpenAI; try again in 7 s"
        })
        yield* app.speak({ text: "Hello" })
        assert.lengthOf(vendor.seen, 2)
      })
  )

  it.effect.each([
    [
      "a page",
      "text/html",
      "<html>",
      "OpenAI returned something unexpected: check its address in the console's .env file"
    ],
    [
      "JSON",
      "application/json",
      "{}",
      "OpenAI returned something unexpected: check its address in the console's .env file"
    ],
    ["nothing", "audio/mpeg", "", "the provider returned no audio: try again"]
  ] as const)("with %s instead of audio", ([, type, body, details]) =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) => response.writeHead(200, { "content-type": type }).end(body))
      assert.deepStrictEqual(worded((yield* app.speak({ text: "Hello" })).error), failure(details))
    })
  )

  it.effect.skipIf(!hasFfmpeg)("with noise instead of audio (needs ffmpeg)", () =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) =>
        response.writeHead(200, { "content-type": "audio/mpeg" }).end("no sound at all")
      )
      assert.deepStrictEqual(
        worded((yield* app.speak({ text: "Hello" })).error),
        failure("couldn't read the audio: it's damaged or in an unknown format")
      )
    })
  )

  it.effect("by hanging, before the answer and in it", () =>
    Effect.gen(function* () {
      for (const begins of [false, true]) {
        const asked = yield* Deferred.make<void>()
        const { app } = yield* world((_, response) => {
          if (begins) response.writeHead(200, { "content-type": "audio/mpeg" }).flushHeaders()
          Deferred.doneUnsafe(asked, Effect.void)
        })
        const speaking = yield* Effect.forkChild(app.speak({ text: "Hello" }))
        yield* Deferred.await(asked)
        const answer = yield* passTime(speaking)
        assert.deepStrictEqual(worded(answer.error), failure("OpenAI didn't answer within 30 seconds: try again"))
      }
    })
  )

  it.effect("by breaking off: the browser's transfer breaks too, and the piece is not kept", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world((_, response, index) => {
        response.writeHead(200, { "content-type": "audio/mpeg", "content-length": "800" })
        response.write(mp3Bytes("1"))
        if (index === 0) response.socket?.destroySoon()
        else response.end(mp3Bytes("2"))
      })
      const broken = yield* app.speak({ text: "Hello" }).pipe(Effect.exit)
      assert.strictEqual(broken._tag, "Failure")
      const whole = yield* app.speak({ text: "Hello" })
      assert.strictEqual(whole.bytes.length, 800)
      assert.lengthOf(vendor.seen, 2)
    })
  )

  it.effect("by not being there", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp({ vendorAKey: Redacted.make("k"), vendorABaseUrl: "http://127.0.0.1:9/v1" })
      assert.deepStrictEqual(
        worded((yield* app.speak({ text: "Hello" })).error),
        failure(
          "couldn't reach OpenAI, or the connection broke: check the connection, and its address in the console's .env file, then try again"
        )
      )
    })
  )

  it.effect("by a converter that is missing or hangs", () =>
    Effect.gen(function* () {
      const wav: Answer = (_, response) => response.writeHead(200, { "content-type": "audio/wav" }).end(toneWav())
      const missing = yield* world(wav, { ffmpegCommand: "/nonexistent/ffmpeg" })
      assert.deepStrictEqual(
        worded((yield* missing.app.speak({ text: "Hello" })).error),
        failure(
          "couldn't run ffmpeg: install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_COMMAND"
        )
      )
      const script = `${missing.app.folder}/hangs`
      writeFileSync(script, `#!/bin/sh\necho started > ${script}.started\nexec sleep 600\n`)
      chmodSync(script, 0o755)
      const hanging = yield* world(wav, { ffmpegCommand: script })
      const speaking = yield* Effect.forkChild(hanging.app.speak({ text: "Hello" }))
      yield* fileThere(`${script}.started`)
      assert.deepStrictEqual(
        worded((yield* passTime(speaking)).error),
        failure("ffmpeg didn't finish within 60 seconds and was stopped: try a shorter recording")
      )
    })
  )
})
