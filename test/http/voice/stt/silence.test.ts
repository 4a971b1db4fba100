import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type Answer, httpStandIn } from "../../../support/voice/httpStandIn.ts"
import { toneWav } from "../../../support/voice/sounds.ts"
import { makeSttApp } from "../../../support/voice/sttApp.ts"

const world = Effect.fnUntraced(function* (answer: Answer) {
  const vendor = yield* httpStandIn(answer)
  const app = yield* makeSttApp({
    sttProvider: "vendor_a",
    vendorAKey: Redacted.make("key-a"),
    vendorABaseUrl: `${vendor.url}/v1`
  })
  return { vendor, app }
})

const says =
  (answer: unknown): Answer =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))

/** What such models write for silence. */
const MADE_UP = says({ text: "Thank you for watching!" })

/** A WAV whose samples are made from those of a tone. */
const wavOf = (seconds: number, sample: (index: number) => number): Buffer => {
  const wav = toneWav(seconds)
  for (let index = 0; 44 + index * 2 < wav.length; index += 1)
    wav.writeInt16LE(Math.round(sample(index)), 44 + index * 2)
  return wav
}

let seed = 3
const noise = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 1_073_741_824 - 1
}

describe("a recording of silence", () => {
  it.effect.each([
    ["2 s of nothing", wavOf(2, () => 0)],
    ["20 s of nothing", wavOf(20, () => 0)],
    ["noise at -60 dB", wavOf(3, () => noise() * Math.sqrt(3) * 32.768)]
  ] as const)("has no words, and no hosted recogniser is asked: %s", ([, bytes]) =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(MADE_UP)
      const answer = yield* app.upload({ bytes, type: "audio/wav" })
      assert.deepStrictEqual([answer.status, answer.body], [200, { text: "" }])
      assert.lengthOf(vendor.seen, 0)
    })
  )

  it.effect("is given to no local model either: one that can't be loaded stays untouched", () =>
    Effect.gen(function* () {
      const damaged = Buffer.alloc(1_000, 1)
      const app = yield* makeSttApp({ ffmpegCommand: "/nonexistent/ffmpeg" }, damaged)
      app.placeModel("tiny", damaged)
      const answer = yield* app.upload({ bytes: wavOf(2, () => 0), type: "audio/wav" })
      assert.deepStrictEqual([answer.status, answer.body], [200, { text: "" }])
      assert.isTrue((yield* app.send("GET", "/api/transcribe/config")).body.modelReady)
    })
  )

  it.effect("is distinguished from a quiet voice, which is recognised", () =>
    Effect.gen(function* () {
      const { app } = yield* world(says({ text: "Buy milk" }))
      const quiet = wavOf(1, (index) => Math.sin(index / 6) * 300)
      assert.deepStrictEqual((yield* app.upload({ bytes: quiet, type: "audio/wav" })).body, { text: "Buy milk" })
    })
  )
})

const segment = (text: string, no_speech_prob: number, avg_logprob: number) => ({ text, no_speech_prob, avg_logprob })

describe("a recogniser that measures whether somebody spoke", () => {
  it.effect.each([
    ["all is silence", [segment(" Thank you for watching!", 0.93, -0.3)], ""],
    ["a guess that is likely silence", [segment("you", 0.7, -0.9)], ""],
    ["words beside silence", [segment(" Buy milk.", 0.02, -0.2), segment(" Bye!", 0.9, -0.4)], "Buy milk."],
    ["words that it's sure of", [segment("Buy milk", 0.7, -0.1)], "whole"],
    ["no measure", [{ text: "Buy milk" }], "whole"],
    ["no segments", null, "whole"]
  ] as const)("is believed: %s", ([, segments, text]) =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world(says({ text: "whole", segments }))
      const answer = yield* app.upload({ bytes: toneWav(1), type: "audio/wav" })
      assert.deepStrictEqual(answer.body, { text })
      assert.include(vendor.seen[0]?.body.toString("latin1"), "verbose_json")
    })
  )

  it.effect("is asked in the plain form if it doesn't know the other one", () =>
    Effect.gen(function* () {
      const { vendor, app } = yield* world((request, response, index) =>
        request.body.toString("latin1").includes("verbose_json")
          ? response.writeHead(400).end('{"error":"unknown response_format"}')
          : says({ text: "Buy milk" })(request, response, index)
      )
      const answer = yield* app.upload({ bytes: toneWav(1), type: "audio/wav" })
      assert.deepStrictEqual(answer.body, { text: "Buy milk" })
      assert.lengthOf(vendor.seen, 2)
    })
  )

  it.effect("that refuses both forms has refused the request", () =>
    Effect.gen(function* () {
      const { app } = yield* world((_, response) => response.writeHead(400).end())
      const answer = yield* app.upload({ bytes: toneWav(1), type: "audio/wav" })
      assert.include(answer.body.details, "OpenAI rejected the request (400)")
    })
  )
})
