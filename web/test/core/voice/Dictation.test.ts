import { assert, describe, it } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { createDictation, type Transcribed } from "../../../src/core/voice/Dictation.ts"
import {
  createRecordingShelf,
  type KeptRecording,
  type RecordingShelf
} from "../../../src/core/voice/keptRecordings.ts"
import type { SpeechModelState, SpeechModelStatus } from "../../../src/core/voice/SpeechModel.ts"

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** What a browser keeps, for all its pages. */
const browser = () => {
  const kept = new Map<string, KeptRecording>()
  const held = new Set<string>()
  const shelf: RecordingShelf = {
    of: async (sessionKey) => [...kept.values()].filter((one) => one.sessionKey === sessionKey),
    put: async (recording) => {
      kept.set(recording.id, recording)
    },
    take: async (id) => kept.delete(id)
  }
  return { kept, held, open: async () => shelf }
}

interface WorldOptions {
  readonly status?: SpeechModelStatus
  readonly kept?: ReturnType<typeof browser>
  readonly silent?: boolean
  readonly mayComeLater?: boolean
}

let ids = 0

/** A page with a dictation; what's transcribed is answered by the test. */
const world = ({ status = "ready", kept = browser(), silent = false, mayComeLater = true }: WorldOptions = {}) => {
  const at = (now: SpeechModelStatus, percent = 0): SpeechModelState => ({
    status: now,
    size: "75 MB",
    source: "x",
    percent
  })
  const state = createObservable<SpeechModelState>(at(status))
  const log: Array<string> = []
  const asked: Array<{ readonly answer: (result: Transcribed) => void; readonly signal: AbortSignal }> = []
  let read: SpeechModelStatus = status
  const dictation = createDictation({
    sessionKey: "agent:main:a",
    now: () => 1_000_000,
    newId: () => `recording-${++ids}`,
    shelf: createRecordingShelf(kept.open),
    hold: (id) => {
      kept.held.add(id)
      return () => kept.held.delete(id)
    },
    isHeld: async (id) => kept.held.has(id),
    model: {
      state,
      read: async () => {
        state.set(at(read))
        return state.get()
      },
      setUp: async () => {
        log.push("set up")
        state.set(at(state.get().status === "unagreed" ? "ready" : "downloading"))
        return { ok: true, value: true }
      }
    },
    isSilent: async () => silent,
    transcribe: (_, signal) => new Promise((answer) => asked.push({ answer, signal })),
    mayComeLater: () => mayComeLater,
    onWords: (words) => log.push(`words ${words}`),
    onProblem: (message) => log.push(message)
  })
  return {
    dictation,
    kept: kept.kept,
    log,
    asked,
    say: async () => {
      const keeper = dictation.keep()
      keeper.grow(new Blob(["a"]))
      await settle()
      void keeper.finish(new Blob(["ab"]))
      await settle()
    },
    becomes: async (next: SpeechModelStatus) => {
      read = next
      state.set(at(next))
      await settle()
    },
    onServer: (next: SpeechModelStatus) => {
      read = next
    }
  }
}

describe("a recording", () => {
  it("is kept from its first second until its words are there", async () => {
    const { asked, dictation, kept, log, say } = world()
    dictation.open()
    const keeper = dictation.keep()
    keeper.grow(new Blob(["a"]))
    await settle()
    assert.deepStrictEqual(
      [...kept.values()].map(({ isWhole }) => isWhole),
      [false]
    )
    keeper.drop()
    await settle()
    assert.strictEqual(kept.size, 0)
    await say()
    assert.strictEqual(dictation.state.get().phase, "transcribing")
    assert.deepStrictEqual(
      [...kept.values()].map(({ isWhole }) => isWhole),
      [true]
    )
    asked[0]?.answer({ ok: true, value: " hello " })
    await settle()
    assert.deepStrictEqual(log, ["words hello"])
    assert.strictEqual(kept.size, 0)
    assert.strictEqual(dictation.state.get().phase, "idle")
  })

  it("waits for the speech model while it's downloaded, and is sent when it's there", async () => {
    const { asked, becomes, dictation, kept, log, say } = world({ status: "downloading" })
    dictation.open()
    await say()
    await say()
    assert.strictEqual(dictation.state.get().phase, "setup")
    assert.lengthOf(asked, 0)
    await becomes("ready")
    asked[0]?.answer({ ok: true, value: "one" })
    await settle()
    asked[1]?.answer({ ok: true, value: "two" })
    await settle()
    assert.deepStrictEqual(log, ["words one", "words two"])
    assert.strictEqual(kept.size, 0)
  })

  it("stays when the download fails, until somebody tries again or discards it", async () => {
    const { asked, becomes, dictation, kept, log, say } = world({ status: "downloading" })
    dictation.open()
    await say()
    await becomes("failed")
    assert.deepStrictEqual(dictation.state.get(), {
      phase: "saved",
      message: "Couldn't download the speech model. Your recording is saved.",
      offer: "again"
    })
    assert.strictEqual(kept.size, 1)
    await dictation.again()
    assert.deepStrictEqual(log, ["set up"])
    assert.strictEqual(dictation.state.get().phase, "setup")
    await becomes("ready")
    asked[0]?.answer({ ok: true, value: "at last" })
    await settle()
    assert.deepStrictEqual(log, ["set up", "words at last"])
    await say()
    await dictation.discard()
    assert.strictEqual(kept.size, 0)
    assert.isTrue(asked[1]?.signal.aborted)
    assert.strictEqual(dictation.state.get().phase, "idle")
  })

  it("made before anybody knew that the model isn't there waits for a person, who sets it up", async () => {
    const { asked, becomes, dictation, kept, log, onServer, say } = world({ status: "unknown" })
    onServer("missing")
    dictation.open()
    await say()
    assert.deepStrictEqual(dictation.state.get(), {
      phase: "saved",
      message: "Dictation isn't set up yet. Your recording is saved.",
      offer: "setUp"
    })
    assert.deepStrictEqual([log, kept.size], [[], 1])
    await dictation.again()
    assert.deepStrictEqual(log, ["set up"])
    await becomes("ready")
    asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(log, ["set up", "words hello"])
  })

  it("goes to no service before a person agrees to that, and is then sent", async () => {
    const { asked, dictation, kept, log, say } = world({ status: "unagreed" })
    dictation.open()
    await say()
    assert.deepStrictEqual(dictation.state.get(), {
      phase: "saved",
      message: "Dictation sends what you say to x, which turns it into text. Your recording is saved.",
      offer: "allow"
    })
    assert.deepStrictEqual([asked.length, kept.size], [0, 1])
    void dictation.again()
    await settle()
    asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(log, ["set up", "words hello"])
  })

  it("goes nowhere while it isn't known who would get it", async () => {
    const { asked, becomes, dictation, say } = world({ status: "unknown" })
    dictation.open()
    await say()
    assert.deepInclude(dictation.state.get(), { phase: "saved", offer: "again" })
    assert.lengthOf(asked, 0)
    await becomes("ready")
    dictation.reconnected()
    await settle()
    assert.lengthOf(asked, 1)
  })

  it("stays when the server asks for a model that it lost", async () => {
    const { asked, becomes, dictation, log, onServer, say } = world()
    dictation.open()
    await say()
    onServer("downloading")
    asked[0]?.answer({ ok: false, message: "Not there.", code: "model_not_ready" })
    await settle()
    assert.strictEqual(dictation.state.get().phase, "setup")
    await becomes("ready")
    asked[1]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(log, ["words hello"])
  })

  it("stays when it can't be transcribed, and is tried again when the console is back", async () => {
    const { asked, dictation, kept, log, say } = world()
    dictation.open()
    await say()
    asked[0]?.answer({ ok: false, message: "Can't reach the console's server." })
    await settle()
    assert.strictEqual(dictation.state.get().message, "Can't reach the console's server. Your recording is saved.")
    assert.strictEqual(kept.size, 1)
    dictation.reconnected()
    await settle()
    asked[1]?.answer({ ok: false, message: "The recogniser failed.", code: "transcription_failed" })
    await settle()
    dictation.reconnected()
    await settle()
    assert.lengthOf(asked, 2)
    void dictation.again()
    await settle()
    asked[2]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(log, ["words hello"])
  })

  it("survives a reload, and only one page sends it", async () => {
    const kept = browser()
    const before = world({ kept, status: "downloading" })
    before.dictation.open()
    await before.say()
    const first = world({ kept })
    const second = world({ kept })
    first.dictation.open()
    second.dictation.open()
    await settle()
    first.asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    second.asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual([first.log, second.log], [["words hello"], []])
    assert.strictEqual(second.dictation.state.get().phase, "idle")
  })

  it("that a reload cut off waits for a person, but not while another page still records it", async () => {
    const kept = browser()
    const before = world({ kept })
    before.dictation.keep().grow(new Blob(["a"]))
    await settle()
    const other = world({ kept })
    other.dictation.open()
    await settle()
    assert.strictEqual(other.dictation.state.get().phase, "idle")
    const later = world({ kept })
    kept.held.clear()
    later.dictation.open()
    await settle()
    assert.deepStrictEqual(later.dictation.state.get(), {
      phase: "saved",
      message: "The recording was interrupted. What you said until then is saved.",
      offer: "use"
    })
    void later.dictation.again()
    await settle()
    later.asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(later.log, ["words hello"])
  })

  it("of a chat that's left meanwhile is sent, or stays where its words would come into another composer", async () => {
    const sends = world()
    const close = sends.dictation.open()
    await sends.say()
    close()
    sends.asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual([sends.log, sends.kept.size], [["words hello"], 0])
    const edits = world({ mayComeLater: false })
    const leave = edits.dictation.open()
    await edits.say()
    leave()
    edits.asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual([edits.log, edits.kept.size], [[], 1])
  })

  it("of silence becomes no message, and no recogniser is asked", async () => {
    const { asked, dictation, kept, log, say } = world({ silent: true })
    dictation.open()
    await say()
    assert.deepStrictEqual(log, ["No speech detected. Try again, closer to the microphone."])
    assert.deepStrictEqual([asked.length, kept.size], [0, 0])
  })

  it("lasts as long as the page where the browser keeps nothing", async () => {
    const { asked, becomes, dictation, log, say } = world({
      status: "downloading",
      kept: { kept: new Map(), held: new Set(), open: () => Promise.reject(new Error("no database")) }
    })
    dictation.open()
    await say()
    await becomes("ready")
    asked[0]?.answer({ ok: true, value: "hello" })
    await settle()
    assert.deepStrictEqual(log, ["words hello"])
  })
})
