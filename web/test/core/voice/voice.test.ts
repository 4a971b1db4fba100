import { assert, describe, it } from "@effect/vitest"
import { asSpoken, plainTitle, plainWords, wasSpoken } from "../../../../src/contract/spokenMessage.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { createSpeaker } from "../../../src/core/voice/Speaker.ts"
import { createVoiceApi } from "../../../src/core/voice/VoiceApi.ts"
import { createVoiceRecorder, type Recording } from "../../../src/core/voice/VoiceRecorder.ts"
import { createVoicePreferences } from "../../../src/core/voice/voicePreferences.ts"
import { rateFor, wavFile } from "../../../src/core/voice/wavFile.ts"

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe("a spoken message", () => {
  it("is marked for the agent with a hint, and shown as it was said", () => {
    const sent = asSpoken("Buy milk")
    assert.isTrue(sent.startsWith("[voice] Buy milk"))
    assert.include(sent, "[tts: …]")
    assert.isTrue(wasSpoken(sent))
    assert.strictEqual(plainWords(sent), "Buy milk")
    assert.strictEqual(plainWords("typed [voice] text"), "typed [voice] text")
    assert.strictEqual(plainTitle(sent.slice(0, 40)), "Buy milk")
    assert.strictEqual(plainTitle(sent.replace(/\s+/g, " ")), "Buy milk")
    assert.strictEqual(plainTitle("[voice] Buy mil…"), "Buy mil…")
    assert.strictEqual(plainTitle("typed"), "typed")
    assert.strictEqual(plainTitle("Look. Attached file: uploads/a.pdf (1 B)"), "Look.")
    assert.strictEqual(plainTitle("Look.\n\nAttached text: a.md (1 B)\n```"), "Look.")
    assert.strictEqual(plainTitle("Attached file: uploads/a.pdf (1 B)"), "Attached file: uploads/a.pdf (1 B)")
  })
})

const talkWorld = () => {
  let now = 0
  const log: Array<string> = []
  const opened: Array<(recording: Recording | null) => void> = []
  let reject = (_: Error) => {}
  let grow = (_: Blob) => {}
  const talk = createVoiceRecorder({
    now: () => now,
    record: (onGrow) =>
      new Promise((resolve, refuse) => {
        opened.push(resolve)
        reject = refuse
        grow = onGrow
      }),
    keep: () => ({
      grow: () => log.push("grown"),
      interrupt: () => log.push("interrupted"),
      finish: async () => {
        log.push("kept")
      },
      drop: () => log.push("forgotten")
    }),
    onProblem: (message) => log.push(message)
  })
  const recording: Recording = {
    level: () => 0.5,
    stop: async () => new Blob(["x"]),
    drop: () => log.push("dropped")
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { talk, log, opened, recording, pass, reject: (error: Error) => reject(error), grow: () => grow(new Blob()) }
}

describe("push-to-talk", () => {
  it("records only once the microphone does, and what's recorded is kept from then on", async () => {
    const world = talkWorld()
    world.talk.start()
    assert.strictEqual(world.talk.state.get().phase, "starting")
    world.opened[0]?.(world.recording)
    await settle()
    assert.strictEqual(world.talk.state.get().phase, "recording")
    assert.strictEqual(world.talk.level(), 0.5)
    world.grow()
    world.pass(1000)
    await world.talk.finish()
    assert.deepStrictEqual(world.log, ["grown", "kept"])
    assert.strictEqual(world.talk.state.get().phase, "idle")
  })

  it("says why it did not work, unless that was said already", async () => {
    const refused = talkWorld()
    refused.talk.start()
    refused.reject(new Error("The microphone is blocked."))
    await settle()
    const short = talkWorld()
    short.talk.start()
    short.opened[0]?.(short.recording)
    await settle()
    short.pass(100)
    await short.talk.finish()
    const offered = talkWorld()
    offered.talk.start()
    offered.opened[0]?.(null)
    await settle()
    assert.strictEqual(offered.talk.state.get().phase, "idle")
    assert.deepStrictEqual(
      [refused.log, short.log, offered.log],
      [
        ["forgotten", "The microphone is blocked."],
        ["dropped", "forgotten", "That was too short. Speak while it's recording, then finish."],
        ["forgotten"]
      ]
    )
  })

  it("drops what was cancelled, at every moment", async () => {
    const world = talkWorld()
    world.talk.start()
    world.talk.cancel()
    world.opened[0]?.(world.recording)
    await settle()
    assert.strictEqual(world.talk.state.get().phase, "idle")
    world.talk.start()
    world.opened[1]?.(world.recording)
    await settle()
    world.pass(1000)
    world.talk.cancel()
    await world.talk.finish()
    assert.deepStrictEqual(world.log, ["dropped", "forgotten", "dropped", "forgotten"])
  })

  it("keeps what was said when its chat is left, but not a tap", async () => {
    const world = talkWorld()
    world.talk.start()
    world.opened[0]?.(world.recording)
    await settle()
    world.pass(1000)
    await world.talk.leave()
    await world.talk.leave()
    assert.deepStrictEqual(world.log, ["interrupted"])
  })
})

describe("reading aloud", () => {
  it("a new text ends the one before; stop means silence, also for audio on its way", async () => {
    const log: Array<string> = []
    const made: Array<() => void> = []
    const speaker = createSpeaker({
      speak: (text) => new Promise((resolve) => made.push(() => resolve({ ok: true, value: new Blob([text]) }))),
      play: () => {
        log.push("play")
        return { ended: new Promise(() => {}), stop: () => log.push("stop") }
      },
      onProblem: (message) => log.push(message),
      onBlocked: () => log.push("blocked")
    })
    speaker.say("one")
    speaker.say("two")
    made[0]?.()
    made[1]?.()
    await settle()
    assert.deepStrictEqual(log, ["play"])
    assert.isTrue(speaker.speaking.get())
    speaker.stop()
    assert.deepStrictEqual(log, ["play", "stop"])
    speaker.say("three")
    speaker.stop()
    made[2]?.()
    await settle()
    assert.deepStrictEqual(log, ["play", "stop"])
    assert.isFalse(speaker.speaking.get())
  })

  it("asks for a click where the browser wants one, and reports what failed", async () => {
    const log: Array<string> = []
    const speaker = createSpeaker({
      speak: async (text) => (text === "bad" ? { ok: false, message: "No voice." } : { ok: true, value: new Blob() }),
      play: () => ({ ended: Promise.reject(new Error("NotAllowed")), stop: () => {} }),
      onProblem: (message) => log.push(message),
      onBlocked: () => log.push("blocked")
    })
    await speaker.say("bad")
    await speaker.say("good")
    assert.deepStrictEqual(log, ["No voice.", "blocked"])
  })
})

const unconverted = () => Promise.reject(new Error("nothing is converted here"))

describe("a server without a converter", () => {
  const MISSING = '{"error":"converter_missing","details":"couldn\'t run ffmpeg: install it"}'
  const world = (convert: (recording: Blob) => Promise<Blob>) => {
    let provider = "local"
    const uploads: Array<string> = []
    const api = createVoiceApi(
      async (url, init) => {
        if (String(url).endsWith("/config")) return Response.json({ provider })
        const file = init?.body instanceof FormData ? init.body.get("file") : null
        const type = file instanceof Blob ? file.type : ""
        uploads.push(type)
        return type === "audio/wav" || provider !== "local"
          ? Response.json({ text: `words of ${type}` })
          : new Response(MISSING, { status: 500 })
      },
      "http://x",
      convert
    )
    const say = () => api.transcribe(new Blob(["x"], { type: "audio/webm" }), new AbortController().signal)
    const choose = (name: string) => {
      provider = name
    }
    return { uploads, say, choose }
  }
  const wav = async () => new Blob(["wav"], { type: "audio/wav" })

  it("gets the recording again as WAV, and the next ones as WAV at once, but vendors get what was recorded", async () => {
    const { choose, say, uploads } = world(wav)
    assert.deepStrictEqual(await say(), { ok: true, value: "words of audio/wav" })
    await say()
    assert.deepStrictEqual(uploads, ["audio/webm", "audio/wav", "audio/wav"])
    choose("vendor_a")
    assert.deepStrictEqual(await say(), { ok: true, value: "words of audio/webm" })
  })

  it("has its sentence shown if the browser can't convert either", async () => {
    const { say, uploads } = world(unconverted)
    const result = await say()
    assert.isFalse(result.ok)
    assert.strictEqual(result.ok ? "" : result.message, "Couldn't run ffmpeg: install it.")
    await say()
    assert.deepStrictEqual(uploads, ["audio/webm", "audio/webm"])
  })
})

it("a WAV file for recognition: one channel, 16 bits, and never more than an upload may have", async () => {
  const file = wavFile([Float32Array.of(1, -1, 0.5), Float32Array.of(1, -1, -0.5)], 16_000)
  const bytes = Buffer.from(await file.arrayBuffer())
  assert.strictEqual(file.type, "audio/wav")
  assert.deepStrictEqual([bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt32LE(40)], [1, 16_000, 6])
  assert.deepStrictEqual(
    [0, 1, 2].map((index) => bytes.readInt16LE(44 + index * 2)),
    [0x7fff, -0x7fff, 0]
  )
  assert.strictEqual(rateFor(60), 16_000)
  assert.isAtMost(rateFor(600) * 600 * 2 + 44, 12 * 1024 * 1024)
  assert.isAbove(rateFor(600), 10_000)
  assert.strictEqual(rateFor(7_200), 8_000)
})

it("the API's sentences reach people, whatever the answer", async () => {
  const answers = [
    new Response('{"text":"hello"}'),
    new Response('{"error":"x","details":"ffmpeg cannot be run: install it"}', { status: 500 }),
    new Response("<html>", { status: 502 }),
    new Response("<html>")
  ]
  const api = createVoiceApi(
    async () => answers.shift() ?? Promise.reject(new Error("offline")),
    "http://x",
    unconverted
  )
  const { signal } = new AbortController()
  const results = []
  for (let index = 0; index < 5; index += 1) results.push(await api.transcribe(new Blob(["x"]), signal))
  assert.deepStrictEqual(results, [
    { ok: true, value: "hello" },
    { ok: false, message: "Ffmpeg cannot be run: install it.", code: "x" },
    { ok: false, message: "That didn't work (502)." },
    { ok: false, message: "The page doesn't understand the server's response." },
    { ok: false, message: "Can't reach the console's server. Check that it's running." }
  ])
})

it("preferences are kept, odd ones are as if there were none, and nothing listens by itself", () => {
  const storage = memoryStorage()
  const first = createVoicePreferences(storage)
  assert.deepStrictEqual(first.state.get(), {
    readAloud: "spoken",
    afterTalk: "send",
    handsFree: false,
    provider: null
  })
  first.update({ readAloud: "always", provider: "free" })
  assert.deepInclude(createVoicePreferences(storage).state.get(), { readAloud: "always", provider: "free" })
  storage.setItem("agent-console:voice", '{"readAloud":1,"handsFree":"yes","provider":"x"}')
  assert.deepInclude(createVoicePreferences(storage).state.get(), {
    readAloud: "spoken",
    handsFree: false,
    provider: null
  })
})

it.each([
  [200, /^Something between this browser and the console answers in its place/],
  [401, /^Something between this browser and the console answers in its place/],
  [413, /^A proxy between this browser and the console refused this because of its size/],
  [502, /^Can't reach the console's server/]
])(
  "a page that answers a recording or a text in the console's place with %i is no speech",
  async (status, sentence) => {
    const page = new Response("<p>Sign in", { status, headers: { "content-type": "text/html" } })
    const api = createVoiceApi(
      async () => page.clone(),
      "http://x",
      async (recording) => recording
    )
    const { signal } = new AbortController()
    for (const done of [await api.transcribe(new Blob(["x"]), signal), await api.speak("x", null, signal)])
      assert.match(done.ok ? "" : done.message, sentence)
  }
)
