import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { passTime } from "../../../support/passTime.ts"
import { type Answer, httpStandIn } from "../../../support/voice/httpStandIn.ts"
import { makeSttApp } from "../../../support/voice/sttApp.ts"
import { worded } from "../../../support/worded.ts"

const RECORDING = Buffer.from("\x1A\x45\xDF\xA3 the words", "latin1")

const world = Effect.fnUntraced(function* (answer: Answer) {
  const vendor = yield* httpStandIn(answer)
  const app = yield* makeSttApp({
    sttProvider: "vendor_a",
    vendorAKey: Redacted.make("key-a"),
    vendorABaseUrl: `${vendor.url}/v1`
  })
  return { vendor, app }
})

const hears =
  (text: unknown): Answer =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }))

describe("recognition by vendor_a", () => {
  it.effect("is asked as its reference says, in the voice language", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(hears("  Hallo \n Welt [BLANK_AUDIO] "))
      yield* app.send("PUT", "/api/transcribe/config", { language: "de" })
      const answer = yield* app.upload({ bytes: RECORDING, type: "audio/webm;codecs=opus" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.body, { text: "Hallo Welt" })
      const [asked] = vendor.seen
      assert.strictEqual(`${asked?.method} ${asked?.url}`, "POST /v1/audio/transcriptions")
      assert.strictEqual(asked?.headers.authorization, "Bearer key-a")
      const form = yield* Effect.promise(() =>
        new Response(new Uint8Array(asked?.body ?? []), {
          headers: { "content-type": asked?.headers["content-type"] ?? "" }
        }).formData()
      )
      const file = form.get("file")
      assert.isTrue(file instanceof File)
      if (!(file instanceof File)) return
      assert.strictEqual(file.name, "recording.webm")
      assert.strictEqual(file.type, "audio/webm")
      assert.deepStrictEqual(Buffer.from(yield* Effect.promise(() => file.arrayBuffer())), RECORDING)
      assert.strictEqual(form.get("model"), "whisper-1")
      assert.strictEqual(form.get("language"), "de")
    })
  )

  it.effect("takes every audio type with any parameters, and no other", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(hears("x"))
      const types = ["webm", "mp3", "mpeg", "mp4", "m4a", "wav", "x-wav", "ogg", "flac", "x-flac"]
      for (const type of [...types.map((name) => `audio/${name}`), "AUDIO/MP4; codecs=mp4a.40.2"]) {
        assert.strictEqual((yield* app.upload({ bytes: RECORDING, type })).status, 200, type)
      }
      for (const type of [
        "video/webm",
        "audio/aac",
        "text/plain",
        "audio/webmx",
        "application/octet-stream",
        "application/json"
      ]) {
        const answer = yield* app.upload({ bytes: RECORDING, type })
        assert.strictEqual(answer.status, 415, type)
        assert.strictEqual(answer.body.error, "unsupported_media_type")
      }
      assert.lengthOf(vendor.seen, 11)
    })
  )

  it.effect("refuses no file, an empty one, one over 12 MB, and what is no form", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(hears("x"))
      const type = "audio/wav"
      assert.strictEqual((yield* app.upload({ bytes: RECORDING, type, field: "sound" })).status, 400)
      assert.deepStrictEqual(worded((yield* app.upload({ bytes: new Uint8Array(), type })).body), {
        error: "validation_error",
        details: "file: the recording is empty"
      })
      const most = 12 * 1024 * 1024
      assert.strictEqual((yield* app.upload({ bytes: new Uint8Array(most).fill(1), type })).status, 200)
      assert.strictEqual((yield* app.upload({ bytes: new Uint8Array(most + 1), type })).status, 413)
      assert.strictEqual((yield* app.send("POST", "/api/transcribe", "{}")).status, 415)
      const part = 'Content-Disposition: form-data; name="file"\r\nContent-Type: application/json'
      const withoutName = yield* app.request("/api/transcribe", {
        method: "POST",
        body: `--x\r\n${part}\r\n\r\n{}\r\n--x--\r\n`,
        headers: { "content-type": "multipart/form-data; boundary=x" }
      })
      assert.strictEqual(withoutName.status, 415)
      const broken = yield* app.request("/api/transcribe", {
        method: "POST",
        body: "--x\r\nno form",
        headers: { "content-type": "multipart/form-data; boundary=x" }
      })
      assert.strictEqual(broken.status, 400)
      assert.lengthOf(vendor.seen, 1)
    })
  )

  it.effect("answers a missing body with 400 in JSON, whatever its headers say", () =>
    Effect.gen(function* () {
      const { app } = yield* world(hears("x"))
      const types = [undefined, "text/plain", "application/json", "multipart/form-data; boundary=x", "audio/wav"]
      for (const type of types) {
        for (const length of [undefined, "0"]) {
          const answer = yield* app.request("/api/transcribe", {
            method: "POST",
            headers: {
              ...(type === undefined ? {} : { "content-type": type }),
              ...(length === undefined ? {} : { "content-length": length })
            }
          })
          assert.strictEqual(answer.status, 400, `${type} ${length}`)
          assert.deepStrictEqual(yield* Effect.promise(() => answer.json()), {
            error: "validation_error",
            details: "the body must be a multipart form"
          })
        }
      }
    })
  )

  it.effect("thirty at once wait for their turn, four at a time; the next minute's are for later", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const release: Array<() => void> = []
      const { vendor, app } = yield* world((_, response) => {
        open += 1
        most = Math.max(most, open)
        release.push(() => {
          open -= 1
          response.writeHead(200, { "content-type": "application/json" }).end('{"text":"x"}')
        })
        // Each answer waits until four are asked, so that the most that ever are at once is seen.
        if (release.length >= 4 || vendor.seen.length > 26) for (const answer of release.splice(0)) answer()
      })
      const all = Array.from({ length: 30 }, () => app.upload({ bytes: RECORDING, type: "audio/ogg" }))
      const answers = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.strictEqual(most, 4)
      const late = yield* app.upload({ bytes: RECORDING, type: "audio/ogg" })
      assert.strictEqual(late.status, 429)
      assert.isNotNull(late.headers.get("retry-after"))
    })
  )

  it.effect("more than wait at most are sent away with 429, and all others are heard", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const full = yield* Deferred.make<void>()
      const { app } = yield* world((_, response) => {
        const answer = () => response.writeHead(200).end('{"text":"x"}')
        if (Deferred.isDoneUnsafe(full)) answer()
        else held.push(answer)
      })
      const one = (index: number) =>
        app.upload({ bytes: RECORDING, type: "audio/ogg", peer: `10.0.0.${index % 4}` }).pipe(
          Effect.tap(({ status }) => {
            if (status !== 429) return Effect.void
            Deferred.doneUnsafe(full, Effect.void)
            return Effect.sync(() => {
              for (const answer of held.splice(0)) answer()
            })
          })
        )
      const answers = yield* Effect.forEach(
        Array.from({ length: 70 }, (_, index) => index),
        one,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 64)
      const sent = answers.filter(({ status }) => status === 429)
      assert.lengthOf(sent, 6)
      assert.strictEqual(sent[0]?.headers.get("retry-after"), "10")
      assert.deepStrictEqual(worded(sent[0]?.body), {
        error: "rate_limited",
        details: "too many recordings are waiting; try again in 10 s"
      })
    })
  )
})

const failure = (details: string) => ({ error: "transcription_failed", details })

describe("vendor_a that fails to recognise", () => {
  it.effect.each([
    [401, "", "OpenAI rejected the key: check it in the console's .env file"],
    [500, "secret", "OpenAI failed (500): try again later"],
    [200, "<html>", "OpenAI returned something unexpected: check its address in the console's .env file"],
    [200, '{"text": 1}', "OpenAI returned something unexpected: check its address in the console's .env file"],
    [200, '{"te', "OpenAI returned something unexpected: check its address in the console's .env file"]
  ] as const)("%d %s", ([status, body, details]) =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) => response.writeHead(status).end(body))
      const answer = yield* app.upload({ bytes: RECORDING, type: "audio/webm" })
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(worded(answer.body), failure(details))
    })
  )

  it.effect("429 of the vendor is its failure, with its Retry-After", () =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) => response.writeHead(429, { "retry-after": "3" }).end())
      const answer = yield* app.upload({ bytes: RECORDING, type: "audio/webm" })
      assert.strictEqual(answer.status, 500)
      assert.strictEqual(answer.headers.get("retry-after"), "3")
    })
  )

  it.effect("by hanging, before its answer and in it", () =>
    Effect.gen(function* () {
      for (const begins of [false, true]) {
        const asked = yield* Deferred.make<void>()
        const { app } = yield* world((_, response) => {
          if (begins) response.writeHead(200).write('{"te')
          Deferred.doneUnsafe(asked, Effect.void)
        })
        const hearing = yield* Effect.forkChild(app.upload({ bytes: RECORDING, type: "audio/webm" }))
        yield* Deferred.await(asked)
        const answer = yield* passTime(hearing)
        assert.deepStrictEqual(worded(answer.body), failure("OpenAI didn't answer within 30 seconds: try again"))
      }
    })
  )

  it.effect("without a key", () =>
    Effect.gen(function* () {
      const app = yield* makeSttApp({ sttProvider: "vendor_a" })
      const answer = yield* app.upload({ bytes: RECORDING, type: "audio/webm" })
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(
        worded(answer.body),
        failure(
          "OpenAI needs a key: add it to the console's .env file and restart the console, or choose something else in Settings › Voice"
        )
      )
    })
  )
})
