import { assert, describe, it } from "@effect/vitest"
import type { VoiceReach } from "../../../../src/contract/schema/voice.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { ApiClient, EventListener } from "../../../src/core/link/apiTypes.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { createVoiceAgreement } from "../../../src/core/voice/askFirst.ts"
import { createSpeechModel } from "../../../src/core/voice/SpeechModel.ts"
import { asAnswer } from "../support/asAnswer.ts"

const settle = () => new Promise((resolve) => setImmediate(resolve))

const service = { name: "Hugging Face", isOnline: true, isOff: false }
const REACH: VoiceReach = {
  automatic: "free",
  speakers: { vendor_a: service, vendor_b: service, free: service, alias: service },
  models: service,
  recogniser: { ...service, name: "OpenAI" }
}

const world = (isOff = false, recogniser: Partial<VoiceReach["recogniser"]> = {}) => {
  const agreement = createVoiceAgreement(memoryStorage())
  let stt: Record<string, unknown> | null = {
    provider: "local",
    model: "tiny",
    modelReady: false,
    availableModels: { tiny: { size: "75 MB", ready: false, multilingual: true } },
    download: null
  }
  const sent: Array<unknown> = []
  const listeners: Array<EventListener> = []
  const connected = createObservable(true)
  const request: ApiClient["request"] = async (method, _path, decode, options) => {
    if (method === "PUT") sent.push(options?.body)
    const value = stt === null ? null : decode(asAnswer(stt))
    return value === null
      ? { ok: false, error: { kind: "server", status: 500, message: "No.", retryAfterMs: null, body: null } }
      : { ok: true, value }
  }
  const model = createSpeechModel(
    { request },
    {
      connected,
      on: (_, listener) => {
        listeners.push(listener)
        return () => listeners.splice(listeners.indexOf(listener), 1)
      }
    },
    async () => ({
      ok: true,
      value: { ...REACH, models: { ...service, isOff }, recogniser: { ...REACH.recogniser, ...recogniser } }
    }),
    agreement
  )
  model.open()
  const tell = (data: object) => {
    for (const listener of listeners)
      listener({ event: "stt.download", data: asAnswer({ model: "tiny", ...data }), ts: 0 })
  }
  const answer = (next: Record<string, unknown> | null) => {
    stt = next === null ? null : { ...stt, ...next }
  }
  return { model, sent, tell, answer, connected, agreement }
}

describe("the model that recognises speech", () => {
  it("isn't there at first, is downloaded when it's agreed to, and is ready", async () => {
    const { answer, model, sent, tell } = world()
    assert.deepStrictEqual(await model.read(), { status: "missing", size: "75 MB", source: "Hugging Face", percent: 0 })
    assert.deepStrictEqual(sent, [])
    await model.setUp()
    assert.deepStrictEqual(sent, [{ model: "tiny" }])
    assert.strictEqual(model.state.get().status, "downloading")
    tell({ status: "downloading", percent: 42 })
    assert.deepInclude(model.state.get(), { status: "downloading", percent: 42 })
    answer({ modelReady: true })
    tell({ status: "done", percent: 100 })
    await settle()
    assert.strictEqual(model.state.get().status, "ready")
  })

  it("can fail to come, and come after all", async () => {
    const { model, tell } = world()
    await model.read()
    await model.setUp()
    tell({ status: "failed", percent: 3, error: "the disk is full" })
    assert.strictEqual(model.state.get().status, "failed")
    await model.setUp()
    assert.strictEqual(model.state.get().status, "downloading")
  })

  it("that was already failing or coming is known from the first look", async () => {
    const { answer, model } = world()
    answer({ download: { model: "tiny", status: "failed", percent: 3 } })
    assert.strictEqual((await model.read()).status, "failed")
    answer({ download: { model: "tiny", status: "verifying", percent: 100 } })
    assert.strictEqual((await model.read()).status, "downloading")
    answer({ download: { model: "base", status: "downloading", percent: 9 } })
    assert.deepInclude(await model.read(), { status: "missing", percent: 0 })
  })

  it("isn't needed for a service, and can't be had in the demo", async () => {
    const hosted = world(false, { isOnline: false })
    hosted.answer({ provider: "vendor_a" })
    assert.strictEqual((await hosted.model.read()).status, "ready")
    const demo = world(true)
    assert.strictEqual((await demo.model.read()).status, "off")
    demo.answer({ modelReady: true })
    assert.strictEqual((await demo.model.read()).status, "ready")
  })

  it("that a service stands in for is agreed to once, whatever else that service may do, and nothing is downloaded", async () => {
    const { agreement, answer, model, sent } = world()
    answer({ provider: "vendor_a" })
    agreement.add("OpenAI")
    assert.deepInclude(await model.read(), { status: "unagreed", source: "OpenAI" })
    await model.setUp()
    assert.strictEqual(model.state.get().status, "ready")
    assert.strictEqual((await model.read()).status, "ready")
    assert.deepStrictEqual(sent, [])
  })

  it("that a service stands in for is ready on the console's machine, and off where nothing may leave it", async () => {
    for (const [recogniser, status] of [
      [{ isOnline: false }, "ready"],
      [{ isOff: true }, "off"]
    ] as const) {
      const { answer, model } = world(false, recogniser)
      answer({ provider: "vendor_a" })
      assert.strictEqual((await model.read()).status, status)
    }
  })

  it("is unknown while the server can't be asked", async () => {
    const { answer, model } = world()
    answer(null)
    assert.strictEqual((await model.read()).status, "unknown")
  })

  it("is looked at again when the connection is back", async () => {
    const { answer, connected, model } = world()
    await model.read()
    connected.set(false)
    answer({ modelReady: true })
    connected.set(true)
    await settle()
    assert.strictEqual(model.state.get().status, "ready")
  })
})
