import { assert, describe, it } from "@effect/vitest"
import { DEFAULT_PHRASES } from "../../../../src/services/voice/phrases/defaultPhrases.ts"
import { afterPhrase, beforePhrase, type HandsFreeState, withWords } from "../../../src/core/voice/handsFree.ts"

describe("phrases are found", () => {
  it("whatever the case and the punctuation, and never inside of words", () => {
    assert.strictEqual(afterPhrase("So. Hey, Agent! What is up?", ["hey agent"]), "What is up?")
    assert.strictEqual(afterPhrase("they agents", ["hey agent"]), null)
    assert.strictEqual(beforePhrase("Buy milk. Send it.", ["send it"]), "Buy milk.")
    assert.strictEqual(beforePhrase("Send it to Bob", ["send it"]), null)
    assert.strictEqual(beforePhrase("C'est tout !", ["c'est tout"]), "")
    assert.strictEqual(afterPhrase("你好，助手。天气怎么样？", ["你好助手"]), "天气怎么样?")
    assert.strictEqual(beforePhrase("牛乳を買って、送信して。", ["送信して"]), "牛乳を買って、")
    assert.strictEqual(afterPhrase("anything", ["", "?!"]), null)
    assert.strictEqual(afterPhrase("a.c a+b", ["a+b"]), "")
  })

  it("in every language's own words", () => {
    for (const [lang, phrases] of Object.entries(DEFAULT_PHRASES)) {
      for (const wake of phrases.wakePhrases) assert.strictEqual(afterPhrase(`${wake}!`, [wake]), "", `${lang} ${wake}`)
      for (const stop of [...phrases.stopPhrases, ...phrases.cancelPhrases]) {
        assert.strictEqual(beforePhrase(`${stop}.`, [stop]), "", `${lang} ${stop}`)
      }
    }
  })
})

describe("hands-free listening", () => {
  const phrases = DEFAULT_PHRASES.en
  const listen = (...parts: ReadonlyArray<string>) => {
    let state: HandsFreeState = { phase: "waiting" }
    return parts.map((words) => {
      const step = withWords(state, words, phrases)
      state = step.state
      return step.action
    })
  }

  it("ignores speech before the wake phrase", () => {
    assert.deepStrictEqual(listen("what a day", "send it"), [{ type: "none" }, { type: "none" }])
  })

  it("collects what is said until the stop phrase", () => {
    assert.deepStrictEqual(listen("Hey agent, buy milk", "and bread.", "That's all."), [
      { type: "wake" },
      { type: "none" },
      { type: "send", text: "buy milk and bread." }
    ])
    assert.deepStrictEqual(listen("Hey agent, buy milk, send it"), [{ type: "send", text: "buy milk" }])
  })

  it("drops it with the cancel phrase, and sends nothing when nothing was said", () => {
    assert.deepStrictEqual(listen("hey agent buy milk", "never mind", "send it"), [
      { type: "wake" },
      { type: "cancel" },
      { type: "none" }
    ])
    assert.deepStrictEqual(listen("hey agent send it"), [{ type: "cancel" }])
  })
})
