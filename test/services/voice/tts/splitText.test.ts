import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { splitText } from "../../../../src/services/voice/tts/spokenAudio.ts"

const within = (limit: number) => (piece: string) => piece.length <= limit

describe("splitText", () => {
  it("cuts at sentence ends, in every script", () => {
    assert.deepStrictEqual(splitText("One. Two. Three.", "en", within(11)), ["One. Two. ", "Three."])
    assert.deepStrictEqual(splitText("一つです。二つです。三つです。", "ja", within(11)), [
      "一つです。二つです。",
      "三つです。"
    ])
    assert.deepStrictEqual(splitText("पहला वाक्य। दूसरा वाक्य।", "hi", within(14)), ["पहला वाक्य। ", "दूसरा वाक्य।"])
  })

  it("cuts a long sentence between words, and a long word between characters", () => {
    assert.deepStrictEqual(splitText("one two three four", "en", within(9)), ["one two ", "three ", "four"])
    assert.deepStrictEqual(splitText("abcdefgh", "en", within(3)), ["abc", "def", "gh"])
    assert.deepStrictEqual(splitText("👩‍👩‍👧👩‍👩‍👧", "en", within(9)), ["👩‍👩‍👧", "👩‍👩‍👧"])
  })

  it("leaves a short text alone", () => {
    assert.deepStrictEqual(splitText("One. Two.", "en", within(100)), ["One. Two."])
  })
})

const Word = Schema.Literals([
  "Hello",
  "world",
  "。",
  ". ",
  "! ",
  " ",
  "संदेश",
  "😀",
  "é",
  "a-very-long-word-indeed",
  "\n"
])

it.prop("the pieces fit and are the text again", [Schema.Array(Word), Schema.Literals([12, 30])], ([words, limit]) => {
  const text = words.join("")
  const pieces = splitText(text, "en", within(limit))
  assert.strictEqual(pieces.join(""), text)
  assert.isTrue(pieces.every((piece) => piece.length <= limit && piece.isWellFormed()))
})
