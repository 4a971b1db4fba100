import { assert, describe, it } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { ApiClient, EventListener, EventStream } from "../../../src/core/link/apiTypes.ts"
import { createVoiceSetup } from "../../../src/core/voice/VoiceSetup.ts"
import { asAnswer } from "../support/asAnswer.ts"

const settle = () => new Promise((resolve) => setImmediate(resolve))

const LANGUAGE = {
  language: "de",
  edgeVoiceGender: "male",
  supported: [{ code: "de", name: "German", nativeName: "Deutsch" }],
  providers: { free: true, alias: false, vendor_a: true }
}
const STT = {
  provider: "local",
  model: "tiny",
  modelReady: false,
  openaiKeySet: true,
  availableModels: { tiny: { size: "75 MB", ready: false, multilingual: true } },
  download: null
}
const TTS = { vendor_a: { voice: "nova" }, free: {}, alias: {} }
const PHRASES = { source: "defaults", wakePhrases: ["hallo"], stopPhrases: [], cancelPhrases: [] }

/** A server that answers from a table; what was sent is kept. */
const world = (answers: Readonly<Record<string, unknown>>) => {
  const table = new Map(Object.entries(answers))
  const sent: Array<readonly [string, unknown]> = []
  const listeners: Array<EventListener> = []
  const connected = createObservable(true)
  const request: ApiClient["request"] = async (method, path, decode, options) => {
    if (method !== "GET") sent.push([`${method} ${path}`, options?.body])
    const value = table.has(path) ? decode(asAnswer(table.get(path))) : null
    return value === null
      ? { ok: false, error: { kind: "server", status: 500, message: "No.", retryAfterMs: null, body: null } }
      : { ok: true, value }
  }
  const events: Pick<EventStream, "on" | "connected"> = {
    connected,
    on: (_, listener) => {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    }
  }
  const setup = createVoiceSetup({ request }, events)
  const tell = (data: unknown) => {
    for (const listener of listeners) listener({ event: "stt.download", data: asAnswer(data), ts: 0 })
  }
  return { setup, sent, tell, connected, table, listeners }
}

const WHOLE = {
  "/api/language": LANGUAGE,
  "/api/transcribe/config": STT,
  "/api/tts/config": TTS,
  "/api/voice-phrases/de": PHRASES
}

describe("the voice settings of the server", () => {
  it("are read", async () => {
    const { setup } = world(WHOLE)
    setup.open()
    await settle()
    const { status, language, stt, tts, phrases } = setup.state.get()
    assert.strictEqual(status, "ready")
    assert.deepStrictEqual(language?.supported, [{ code: "de", name: "German", nativeName: "Deutsch" }])
    assert.deepStrictEqual(
      stt?.models.map(({ id, size }) => [id, size]),
      [["tiny", "75 MB"]]
    )
    assert.deepStrictEqual(tts, { vendorAVoice: "nova", aliasSpeaker: "", freeVoice: "" })
    assert.deepStrictEqual(phrases, { wakePhrases: ["hallo"], stopPhrases: [], cancelPhrases: [] })
  })

  it("that cannot be read say why, and are read again when the connection is back", async () => {
    const { setup, table, connected } = world({})
    setup.open()
    await settle()
    assert.deepInclude(setup.state.get(), { status: "failed", message: "No." })
    for (const [path, answer] of Object.entries(WHOLE)) table.set(path, answer)
    connected.set(false)
    connected.set(true)
    await settle()
    assert.strictEqual(setup.state.get().status, "ready")
  })

  it("are changed on the server first; a refusal changes nothing", async () => {
    const { setup, sent, table } = world(WHOLE)
    setup.open()
    await settle()
    table.set("/api/language", { ...LANGUAGE, edgeVoiceGender: "female" })
    assert.isTrue((await setup.setLanguage({ edgeVoiceGender: "female" })).ok)
    assert.strictEqual(setup.state.get().language?.gender, "female")
    const words = { wakePhrases: ["auf"], stopPhrases: [], cancelPhrases: [] }
    await setup.setPhrases(words)
    assert.deepStrictEqual(sent, [
      ["PUT /api/language", { edgeVoiceGender: "female" }],
      ["PUT /api/voice-phrases/de", words]
    ])
    table.delete("/api/transcribe/config")
    assert.deepStrictEqual(await setup.setStt({ model: "base" }), { ok: false, message: "No." })
    assert.strictEqual(setup.state.get().stt?.model, "tiny")
  })

  it("keep the progress of a download that comes before the answer which started it", async () => {
    const { setup, tell, table } = world(WHOLE)
    setup.open()
    await settle()
    table.set("/api/transcribe/config", { ...STT, download: { model: "tiny", status: "downloading", percent: 0 } })
    const starting = setup.setStt({ model: "tiny" })
    tell({ model: "tiny", status: "downloading", percent: 12 })
    await starting
    assert.strictEqual(setup.state.get().stt?.download?.percent, 12)
    await setup.setStt({ model: "tiny" })
    assert.strictEqual(setup.state.get().stt?.download?.percent, 0)
  })

  it("follow a download by its events until it is done", async () => {
    const { setup, tell, table, listeners } = world(WHOLE)
    const close = setup.open()
    await settle()
    tell({ model: "tiny", status: "downloading", percent: 40 })
    assert.deepStrictEqual(setup.state.get().stt?.download, {
      model: "tiny",
      status: "downloading",
      percent: 40,
      error: null
    })
    tell({ model: "tiny", status: "failed", percent: 10, error: "the disk is full" })
    assert.strictEqual(setup.state.get().stt?.download?.error, "the disk is full")
    table.set("/api/transcribe/config", { ...STT, modelReady: true })
    tell({ model: "tiny", status: "done", percent: 100 })
    await settle()
    assert.deepInclude(setup.state.get().stt, { modelReady: true, download: null })
    close()
    assert.lengthOf(listeners, 0)
  })
})
