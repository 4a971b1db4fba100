import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { passTime } from "../../../support/passTime.ts"
import { httpStandIn, type SeenRequest } from "../../../support/voice/httpStandIn.ts"
import { mp3Bytes } from "../../../support/voice/sounds.ts"
import { makeVoiceApp } from "../../../support/voiceApp.ts"
import { worded } from "../../../support/worded.ts"

interface Predictions {
  /** What each question about the prediction answers, in turn; the last one stays. */
  readonly polls: ReadonlyArray<object>
  /** What starting it answers. */
  readonly started?: object
  readonly asked?: Deferred.Deferred<void>
}

const json = (body: object) => JSON.stringify(body)

/** A vendor that makes predictions, and the app before it. `{output}` in an answer is where the audio lies. */
const world = Effect.fnUntraced(function* ({ polls, started = { id: "p1", status: "starting" }, asked }: Predictions) {
  let poll = 0
  const vendor = yield* httpStandIn(({ method, url, headers }, response) => {
    const at = (body: object) => json(body).replaceAll("{output}", `http://${headers.host}/made/audio.mp3`)
    response.setHeader("content-type", "application/json")
    if (method === "POST" && url.endsWith("/cancel")) return response.end("{}")
    if (method === "POST") return response.writeHead(201).end(at(started))
    if (url === "/made/audio.mp3") return response.setHeader("content-type", "audio/mpeg").end(mp3Bytes("b"))
    if (asked !== undefined) Deferred.doneUnsafe(asked, Effect.void)
    const answer = polls[Math.min(poll, polls.length - 1)] ?? {}
    poll += 1
    return response.end(at(answer))
  })
  const app = yield* makeVoiceApp({ vendorBToken: Redacted.make("token-b"), vendorBBaseUrl: `${vendor.url}/v1` })
  const speak = (body: object) => Effect.flatMap(Effect.forkChild(app.speak({ text: "Hello", ...body })), passTime)
  return { vendor, app, speak }
})

const line = ({ method, url }: SeenRequest) => `${method} ${url}`
const UNDER_WAY = [
  { id: "p1", status: "starting" },
  { id: "p1", status: "processing" }
]
const DONE = { id: "p1", status: "succeeded", output: "{output}" }

describe("speech by vendor_b", () => {
  it.effect("starts a prediction, asks until it is done and fetches what it made", () =>
    Effect.gen(function* () {
      const { vendor, speak } = yield* world({ polls: [...UNDER_WAY, DONE] })
      const answer = yield* speak({ voice: "Wise_Woman" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.bytes, mp3Bytes("b"))
      assert.deepStrictEqual(vendor.seen.map(line), [
        "POST /v1/models/minimax/speech-02-turbo/predictions",
        "GET /v1/predictions/p1",
        "GET /v1/predictions/p1",
        "GET /v1/predictions/p1",
        "GET /made/audio.mp3"
      ])
      assert.strictEqual(vendor.seen[0]?.headers.authorization, "Bearer token-b")
      assert.deepStrictEqual(JSON.parse(vendor.seen[0]?.body.toString() ?? ""), {
        input: { text: "Hello", voice_id: "Wise_Woman" }
      })
    })
  )

  it.effect("alias is one fixed model with the wishes of the configuration, and speaks the chosen language", () =>
    Effect.gen(function* () {
      const { vendor, app, speak } = yield* world({ polls: [], started: { ...DONE, output: ["{output}"] } })
      yield* app.send("PUT", "/api/language", { language: "de" })
      yield* app.send("PUT", "/api/tts/config", { alias: { styleInstruction: "warm", voiceDescription: "old" } })
      const answer = yield* speak({ provider: "alias", model: "another/model" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(line(vendor.seen[0] ?? assert.fail()), "POST /v1/models/qwen/qwen3-tts/predictions")
      assert.deepStrictEqual(JSON.parse(vendor.seen[0]?.body.toString() ?? ""), {
        input: {
          text: "Hello",
          speaker: "Serena",
          mode: "custom_voice",
          language: "German",
          voice_description: "old",
          style_instruction: "warm"
        }
      })
    })
  )

  it.effect("its token goes to its own address only", () =>
    Effect.gen(function* () {
      const elsewhere = yield* httpStandIn((_, response) =>
        response.writeHead(200, { "content-type": "audio/mpeg" }).end(mp3Bytes("e"))
      )
      const { speak } = yield* world({ polls: [], started: { ...DONE, output: `${elsewhere.url}/x.mp3` } })
      assert.deepStrictEqual((yield* speak({})).bytes, mp3Bytes("e"))
      assert.isUndefined(elsewhere.seen[0]?.headers.authorization)
    })
  )
})

const failure = (details: string) => ({ error: "synthesis_failed", details })

describe("vendor_b that fails", () => {
  it.effect.each([
    [
      "a prediction that fails",
      { id: "p1", status: "failed", error: "secret" },
      "Replicate couldn't speak the text: check the voice and language"
    ],
    [
      "one that is stopped",
      { id: "p1", status: "canceled" },
      "Replicate couldn't speak the text: check the voice and language"
    ],
    [
      "no output",
      { id: "p1", status: "succeeded" },
      "Replicate returned something unexpected: check its address in the console's .env file"
    ],
    [
      "a local file",
      { ...DONE, output: "file:///etc/passwd" },
      "Replicate returned something unexpected: check its address in the console's .env file"
    ],
    [
      "an odd id",
      { id: "../x", status: "starting" },
      "Replicate returned something unexpected: check its address in the console's .env file"
    ],
    [
      "another shape",
      { ok: true },
      "Replicate returned something unexpected: check its address in the console's .env file"
    ]
  ] as const)("by %s", ([, started, details]) =>
    Effect.gen(function* () {
      const { speak } = yield* world({ polls: [], started })
      assert.deepStrictEqual(worded((yield* speak({})).error), failure(details))
    })
  )

  it.effect("by never being ready: it is cancelled", () =>
    Effect.gen(function* () {
      const { vendor, speak } = yield* world({ polls: [{ id: "p1", status: "processing" }] })
      assert.deepStrictEqual(
        worded((yield* speak({})).error),
        failure("Replicate wasn't ready within 2 minutes: try again later")
      )
      assert.include(vendor.seen.map(line), "POST /v1/predictions/p1/cancel")
    })
  )

  it.effect("a model's name cannot lead elsewhere", () =>
    Effect.gen(function* () {
      const { vendor, speak } = yield* world({ polls: [] })
      for (const model of ["../..", "a/b/c", "a", "a/b?x=1", "a/b#"]) {
        const answer = yield* speak({ provider: "vendor_b", model })
        assert.deepStrictEqual(
          worded(answer.error),
          failure("Replicate's model must have the form <owner>/<name>"),
          model
        )
      }
      assert.lengthOf(vendor.seen, 0)
    })
  )
})
