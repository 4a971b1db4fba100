import { assert, describe, it } from "@effect/vitest"
import { ttsMarkers } from "../../../src/services/markers/ttsMarkers.ts"

describe("speech markers", () => {
  it("are all removed and the first is spoken", () => {
    assert.deepStrictEqual(ttsMarkers("[tts: Hello there] Hi.\n[tts:again]\nBye."), {
      speech: "Hello there",
      text: " Hi.\nBye."
    })
  })

  it("may hold brackets, emoji and line breaks", () => {
    assert.deepStrictEqual(ttsMarkers("x [tts: see [1] and [2]\r\n🎉] y"), {
      speech: "see [1] and [2]\r\n🎉",
      text: "x  y"
    })
  })

  it("with brackets that do not balance end at the first closing one", () => {
    assert.deepStrictEqual(ttsMarkers("[tts: a [ b] c"), { speech: "a [ b", text: " c" })
  })

  it("that never end are text", () => {
    assert.deepStrictEqual(ttsMarkers("say [tts: hello"), { speech: undefined, text: "say [tts: hello" })
  })

  it("keep the work linear on hostile text", () => {
    for (const unit of ["[tts:", "[tts:[", "[tts:]", "["]) {
      const text = `${unit.repeat(200_000)}]`
      for (let turn = 0; turn < 3; turn += 1) ttsMarkers(text)
    }
    assert.strictEqual(ttsMarkers("plain").speech, undefined)
  })
})
