import { assert, describe, it } from "@effect/vitest"
import { type StripFacts, stripView } from "../../../src/core/voice/voiceStrip.ts"

const facts = (change: Partial<StripFacts> = {}): StripFacts => ({
  talk: "idle",
  listening: "off",
  dictation: { phase: "idle", message: "", offer: "again" },
  model: { status: "ready", size: "75 MB", source: "Hugging Face", percent: 0 },
  setup: "none",
  afterTalk: "send",
  ...change
})

const shown = (change: Partial<StripFacts>) => {
  const { actions, percent, text } = stripView(facts(change))
  return [text, percent, actions.map(({ label }) => label)]
}

const model = (status: StripFacts["model"]["status"], percent = 0) => ({ ...facts().model, status, percent })

describe("the strip above the composer", () => {
  it("offers to set up dictation, with its size, before anything is recorded or downloaded", () => {
    assert.deepStrictEqual(shown({}), ["", null, []])
    assert.deepStrictEqual(shown({ setup: "offered", model: model("missing") }), [
      "Dictation needs a speech model. The console downloads it once from Hugging Face (75 MB).",
      null,
      ["Set up dictation", "Not now"]
    ])
    assert.deepStrictEqual(shown({ setup: "agreed", model: model("downloading", 12) }), [
      "Setting up dictation (75 MB).",
      12,
      ["Not now"]
    ])
    assert.deepStrictEqual(shown({ setup: "agreed", model: model("failed") }), [
      "Couldn't download the speech model. Check the internet connection of the console's machine.",
      null,
      ["Try again", "Not now"]
    ])
    assert.deepStrictEqual(shown({ setup: "agreed" }), ["", null, []])
  })

  it("asks before recordings go to a service", () => {
    assert.deepStrictEqual(shown({ setup: "offered", model: { ...model("unagreed"), source: "OpenAI" } }), [
      "Dictation sends what you say to OpenAI, which turns it into text.",
      null,
      ["Allow it", "Not now"]
    ])
    const dictation = { phase: "saved", message: "Your recording is saved.", offer: "allow" } as const
    assert.deepStrictEqual(shown({ dictation })[2], ["Allow it", "Discard"])
  })

  it("says what a recording waits for, and what can be done with it", () => {
    const dictation = { phase: "setup", message: "", offer: "again" } as const
    assert.deepStrictEqual(shown({ dictation, model: model("downloading", 40) }), [
      "Setting up dictation (75 MB). Your recording is saved and will be sent next.",
      40,
      ["Discard"]
    ])
    assert.include(shown({ dictation, afterTalk: "edit" })[0], "will be transcribed next.")
    const saved = { phase: "saved", message: "It failed. Your recording is saved.", offer: "again" } as const
    assert.deepStrictEqual(shown({ dictation: saved }), [saved.message, null, ["Try again", "Discard"]])
    assert.deepStrictEqual(shown({ dictation: { ...saved, offer: "use" } })[2], ["Use it", "Discard"])
    assert.deepStrictEqual(shown({ dictation: { ...saved, offer: "setUp" } })[2], ["Set up dictation", "Discard"])
  })

  it("shows the next recording before what another one waits for", () => {
    const view = stripView(facts({ talk: "recording", dictation: { phase: "setup", message: "", offer: "again" } }))
    assert.deepInclude(view, { text: "Speak now", hasMeter: true, canDrop: true, actions: [] })
  })
})
