import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { packageInfo } from "../../src/services/platform/version/packageInfo.ts"
import { freeStandIn, sayAudio } from "../support/voice/freeStandIn.ts"
import { httpStandIn } from "../support/voice/httpStandIn.ts"
import { mp3Bytes, toneWav } from "../support/voice/sounds.ts"
import { makeSttApp } from "../support/voice/sttApp.ts"
import { makeVoiceApp } from "../support/voiceApp.ts"

/** Where nothing may arrive; nobody is there either, so that a test never asks another machine. */
const ELSEWHERE = {
  isDemo: true,
  freeBaseUrl: "wss://voices.invalid/v1",
  sttModelBaseUrl: "https://models.invalid",
  agentABaseUrl: "https://limits.invalid",
  vendorABaseUrl: "https://vendor.invalid/v1"
}

describe("nothing of the demo leaves its machine", () => {
  it.effect("no text for an online voice, which is said", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp(ELSEWHERE)
      for (const request of [{ text: "private" }, { text: "private", provider: "free" }]) {
        const { error, status } = yield* app.speak(request)
        assert.strictEqual(status, 500)
        assert.strictEqual(error.error, "synthesis_failed")
        assert.strictEqual(error.details, "the demo reads nothing aloud, since an online voice would get the text")
      }
    })
  )

  it.effect("no download of a speech model, neither by choosing it nor by speaking", () =>
    Effect.gen(function* () {
      const app = yield* makeSttApp(ELSEWHERE)
      assert.strictEqual((yield* app.send("PUT", "/api/transcribe/config", { model: "base" })).status, 200)
      const { body } = yield* app.upload({ bytes: toneWav(), type: "audio/wav" })
      assert.strictEqual(body.details, "the demo downloads no speech model, so it can't hear you")
      const config = (yield* app.send("GET", "/api/transcribe/config")).body
      assert.isFalse(config.modelReady)
      assert.deepInclude(config.download, { model: "base", status: "failed", percent: 0, error: body.details })
    })
  )

  it.effect("no look for updates, and no question for the limits of a person's own tools", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp(ELSEWHERE)
      const update = (yield* app.send("GET", "/api/version/check")).body
      assert.deepInclude(update, { current: packageInfo.version, latest: null, installable: false })
      assert.include(update.reason, "the demo doesn't look for updates")
      for (const agent of ["a", "b"]) {
        const limits = (yield* app.send("GET", `/api/agent-${agent}-limits`)).body
        assert.strictEqual(limits.available, false)
        assert.include(limits.error, "the demo asks nobody for the limits")
      }
    })
  )

  it.effect("no notifications by a push service, which is said before a browser asks one", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp(ELSEWHERE)
      const off = "the demo sends no notifications, since a push service would pass them on"
      assert.strictEqual((yield* app.send("GET", "/api/push")).body.off, off)
      const keys = { p256dh: "x", auth: "y" }
      const endpoint = "https://fcm.googleapis.com/fcm/send/abc"
      const answer = yield* app.send("POST", "/api/push/subscriptions", { endpoint, keys })
      assert.deepStrictEqual([answer.status, answer.body.details], [400, off])
    })
  )

  it.effect("but what is on the machine itself works", () =>
    Effect.gen(function* () {
      const voices = yield* freeStandIn({ answer: (socket, talk) => sayAudio(socket, talk, [mp3Bytes("1")]) })
      const models = yield* httpStandIn((_, response) => response.writeHead(404).end())
      const app = yield* makeVoiceApp({ isDemo: true, freeBaseUrl: voices.url, sttModelBaseUrl: models.url })
      assert.strictEqual((yield* app.speak({ text: "hello" })).status, 200)
      const { body } = yield* app.send("GET", "/api/voice")
      assert.deepStrictEqual(body.speakers.free, { name: "127.0.0.1", isOnline: false, isOff: false })
      assert.deepStrictEqual(body.models, { name: "127.0.0.1", isOnline: false, isOff: false })
    })
  )
})

it.effect("the services that would get a text are named before it's sent", () =>
  Effect.gen(function* () {
    const usual = {
      freeBaseUrl: "wss://speech.platform.bing.com/consumer/speech",
      vendorABaseUrl: "https://api.openai.com/v1",
      vendorBBaseUrl: "https://voices.example.org/v1",
      sttModelBaseUrl: "https://huggingface.co/models"
    }
    const app = yield* makeVoiceApp(usual)
    const online = (name: string) => ({ name, isOnline: true, isOff: false })
    assert.deepStrictEqual((yield* app.send("GET", "/api/voice")).body, {
      automatic: "free",
      speakers: {
        vendor_a: online("OpenAI"),
        vendor_b: online("voices.example.org"),
        free: online("Microsoft"),
        alias: online("voices.example.org")
      },
      models: online("Hugging Face"),
      recogniser: online("OpenAI")
    })
    const demo = yield* makeVoiceApp({ ...usual, isDemo: true })
    assert.isTrue((yield* demo.send("GET", "/api/voice")).body.speakers.free.isOff)
  })
)
