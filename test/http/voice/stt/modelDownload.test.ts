import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, httpStandIn } from "../../../support/voice/httpStandIn.ts"
import { toneWav } from "../../../support/voice/sounds.ts"
import { makeSttApp } from "../../../support/voice/sttApp.ts"

const MODEL = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251))

/** Serves the model with ranges, as file servers do. */
const serve: Answer = ({ headers }, response) => {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0)
  if (start === 0) return response.writeHead(200).end(MODEL)
  return response
    .writeHead(206, { "content-range": `bytes ${start}-${MODEL.length - 1}/${MODEL.length}` })
    .end(MODEL.subarray(start))
}

/** Sends the beginning and breaks off as soon as that is on the disk. */
const breakOff = (response: ServerResponse, after: number, part: string) => {
  response.writeHead(200, { "content-length": String(MODEL.length) })
  response.write(MODEL.subarray(0, after))
  const isThere = () => existsSync(part) && statSync(part).size >= after
  Effect.runFork(
    Effect.sleep("5 millis").pipe(
      Effect.repeat({ until: isThere }),
      Effect.andThen(Effect.sync(() => response.socket?.destroy()))
    )
  )
}

/** The app with models from a test server, and the events of the download until its end. */
const world = Effect.fnUntraced(function* (answer: Answer) {
  const source = yield* httpStandIn(answer)
  const app = yield* makeSttApp({ sttModelBaseUrl: source.url }, MODEL)
  const subscription = yield* app.events.subscribe
  const untilEnd = Effect.gen(function* () {
    const seen: Array<Record<string, unknown>> = []
    for (;;) {
      const taken = yield* PubSub.take(subscription).pipe(
        Effect.race(
          TestClock.adjust("1 second").pipe(
            Effect.andThen(TestClock.withLive(Effect.sleep("2 millis"))),
            Effect.forever
          )
        )
      )
      if (taken.event !== "stt.download") continue
      const data = { ...taken.data }
      seen.push(data)
      if ("status" in data && (data.status === "done" || data.status === "failed")) return seen
    }
  })
  const files = () => readdirSync(app.settings.sttModelDir)
  return { source, app, untilEnd, files }
})

const CHOOSE = { model: "base" }

const OWN_REDIRECT: Answer = (request, response, index) =>
  request.url.startsWith("/stored/")
    ? serve(request, response, index)
    : response.writeHead(302, { location: `/stored${request.url}?signed` }).end()

describe("a local model is downloaded", () => {
  it.effect("when it is chosen: progress is reported, and the file is there when it is whole", () =>
    Effect.gen(function* () {
      const { source, app, untilEnd, files } = yield* world(serve)
      const before = (yield* app.send("GET", "/api/transcribe/config")).body
      assert.deepInclude(before, {
        provider: "local",
        model: "tiny",
        language: "en",
        modelReady: false,
        openaiKeySet: false,
        replicateKeySet: false,
        hasGpu: false,
        download: null
      })
      assert.deepStrictEqual(before.availableModels["small.en"], { size: "466 MB", ready: false, multilingual: false })
      assert.lengthOf(source.seen, 0)
      yield* app.send("PUT", "/api/transcribe/config", CHOOSE)
      const events = yield* untilEnd
      assert.deepInclude(events[0], {
        model: "base",
        status: "downloading",
        receivedBytes: 0,
        totalBytes: MODEL.length
      })
      assert.deepInclude(events.at(-1), { status: "done", percent: 100 })
      assert.deepStrictEqual(files(), ["ggml-base.bin"])
      assert.isTrue(readFileSync(`${app.settings.sttModelDir}/ggml-base.bin`).equals(MODEL))
      const after = (yield* app.send("GET", "/api/transcribe/config")).body
      assert.deepInclude(after, { model: "base", modelReady: true, download: null })
      assert.strictEqual(source.seen[0]?.url, "/ggml-base.bin")
      assert.match(readFileSync(`${app.folder}/install/.env`, "utf8"), /^STT_MODEL=base$/m)
    })
  )

  it.effect("with the first recording, which is asked to wait; recordings meanwhile start no second one", () =>
    Effect.gen(function* () {
      const { source, app, untilEnd } = yield* world(serve)
      const recording = { bytes: toneWav(), type: "audio/wav" }
      const answers = yield* Effect.all([app.upload(recording), app.upload(recording), app.upload(recording)], {
        concurrency: "unbounded"
      })
      for (const { status, body } of answers) {
        assert.strictEqual(status, 500)
        assert.strictEqual(body.error, "model_not_ready")
      }
      assert.deepInclude((yield* untilEnd).at(-1), { model: "tiny", status: "done" })
      assert.lengthOf(source.seen, 1)
    })
  )

  it.effect("and goes on where it broke off, in the same try or a later one", () =>
    Effect.gen(function* () {
      let part = ""
      const { source, app, untilEnd, files } = yield* world((request, response, index) =>
        index === 0 ? breakOff(response, 100_000, part) : serve(request, response, index)
      )
      part = `${app.settings.sttModelDir}/ggml-base.bin.part`
      yield* app.send("PUT", "/api/transcribe/config", CHOOSE)
      assert.deepInclude((yield* untilEnd).at(-1), { status: "done" })
      assert.deepStrictEqual(
        source.seen.map(({ headers }) => headers.range),
        [undefined, "bytes=100000-"]
      )
      writeFileSync(`${app.settings.sttModelDir}/ggml-small.bin.part`, MODEL.subarray(0, 200_000))
      yield* app.send("PUT", "/api/transcribe/config", { model: "small" })
      assert.deepInclude((yield* untilEnd).at(-1), { status: "done" })
      assert.strictEqual(source.seen[2]?.headers.range, "bytes=200000-")
      assert.sameMembers(files(), ["ggml-base.bin", "ggml-small.bin"])
    })
  )

  it.effect("from where its server says it's stored, but not from elsewhere without HTTPS", () =>
    Effect.gen(function* () {
      const { source, app, untilEnd } = yield* world(OWN_REDIRECT)
      mkdirSync(app.settings.sttModelDir, { recursive: true })
      writeFileSync(`${app.settings.sttModelDir}/ggml-base.bin.part`, MODEL.subarray(0, 100_000))
      yield* app.send("PUT", "/api/transcribe/config", CHOOSE)
      assert.deepInclude((yield* untilEnd).at(-1), { status: "done" })
      assert.deepStrictEqual(
        source.seen.map(({ headers, url }) => [url, headers.range]),
        [
          ["/ggml-base.bin", "bytes=100000-"],
          ["/stored/ggml-base.bin?signed", "bytes=100000-"]
        ]
      )
      const elsewhere = yield* httpStandIn(serve)
      const astray = yield* world(({ url }, response) =>
        response.writeHead(302, { location: `${elsewhere.url}${url}` }).end()
      )
      yield* astray.app.send("PUT", "/api/transcribe/config", CHOOSE)
      const end = (yield* astray.untilEnd).at(-1)
      assert.deepInclude(end, { status: "failed" })
      assert.include(String(end?.error), "isn't HTTPS")
      assert.deepStrictEqual(elsewhere.seen, [])
    })
  )

  it.effect("a server that knows no ranges starts over; a part that is too long is thrown away", () =>
    Effect.gen(function* () {
      const { app, untilEnd, files } = yield* world((_, response) => response.writeHead(200).end(MODEL))
      mkdirSync(app.settings.sttModelDir, { recursive: true })
      for (const [model, length] of [
        ["base", 1000],
        ["small", MODEL.length + 1]
      ] as const) {
        writeFileSync(`${app.settings.sttModelDir}/ggml-${model}.bin.part`, Buffer.alloc(length))
        yield* app.send("PUT", "/api/transcribe/config", { model })
        assert.deepInclude((yield* untilEnd).at(-1), { status: "done" })
      }
      assert.sameMembers(files(), ["ggml-base.bin", "ggml-small.bin"])
    })
  )
})

const wrong = "the downloaded file isn't the model, so it was deleted: check STT_MODEL_BASE_URL, then try again"

describe("a download that fails leaves nothing that looks ready", () => {
  it.effect.each([
    ["other bytes", (_, response) => response.writeHead(200).end(Buffer.alloc(MODEL.length)), wrong],
    ["more bytes", (_, response) => response.writeHead(200).end(Buffer.concat([MODEL, MODEL])), wrong],
    [
      "nothing there",
      (_, response) => response.writeHead(404).end("<html>"),
      "the download server doesn't have the model (404): check STT_MODEL_BASE_URL"
    ],
    ["a fault", (_, response) => response.writeHead(503).end(), "the download server failed (503): try again later"],
    [
      "standing still",
      (_, response) => response.writeHead(200).flushHeaders(),
      "the download stalled: try again to resume it"
    ]
  ] satisfies ReadonlyArray<readonly [string, Answer, string]>)("%s", ([, answer, error]) =>
    Effect.gen(function* () {
      const { app, untilEnd, files } = yield* world(answer)
      yield* app.send("PUT", "/api/transcribe/config", CHOOSE)
      assert.deepInclude((yield* untilEnd).at(-1), { model: "base", status: "failed", error })
      assert.deepStrictEqual(
        files().filter((name) => !name.endsWith(".part")),
        []
      )
      const { body } = yield* app.send("GET", "/api/transcribe/config")
      assert.deepInclude(body, { modelReady: false })
      assert.deepInclude(body.download, { status: "failed", error })
    })
  )

  it.effect("a server that is always cut off keeps the part for the next time", () =>
    Effect.gen(function* () {
      let part = ""
      const { source, app, untilEnd, files } = yield* world((_, response, index) =>
        index === 0 ? breakOff(response, 50_000, part) : response.socket?.destroy()
      )
      part = `${app.settings.sttModelDir}/ggml-base.bin.part`
      yield* app.send("PUT", "/api/transcribe/config", CHOOSE)
      assert.deepInclude((yield* untilEnd).at(-1), { status: "failed" })
      assert.deepStrictEqual(files(), ["ggml-base.bin.part"])
      assert.strictEqual(statSync(part).size, 50_000)
      assert.lengthOf(source.seen, 5)
    })
  )

  it.effect("a change of provider or language alone downloads nothing, and odd values are refused", () =>
    Effect.gen(function* () {
      const { source, app } = yield* world(serve)
      yield* app.send("PUT", "/api/transcribe/config", { language: "fr" })
      yield* app.send("PUT", "/api/transcribe/config", { provider: "local" })
      yield* app.send("PUT", "/api/transcribe/config", { provider: "vendor_a", model: "small.en" })
      const { body } = yield* app.send("GET", "/api/transcribe/config")
      assert.deepInclude(body, { provider: "vendor_a", model: "small.en", language: "fr" })
      for (const bad of [
        { provider: "edge" },
        { model: "huge" },
        { model: "../x" },
        { language: "xx" },
        [],
        null,
        "{"
      ]) {
        assert.strictEqual((yield* app.send("PUT", "/api/transcribe/config", bad)).status, 400, JSON.stringify(bad))
      }
      assert.lengthOf(source.seen, 0)
    })
  )
})
