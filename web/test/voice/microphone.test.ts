import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { listeningProblem, recordedType } from "../../src/voice/microphone.ts"

const browser = (types: ReadonlyArray<string>) =>
  vi.stubGlobal("MediaRecorder", { isTypeSupported: (type: string) => types.includes(type) })

afterEach(() => vi.unstubAllGlobals())

describe("what a browser records", () => {
  it("is webm with opus in Chromium, ogg in an older Firefox, mp4 in Safari, else its own choice", () => {
    browser(["audio/mp4", "audio/webm", "audio/webm;codecs=opus"])
    assert.strictEqual(recordedType(), "audio/webm;codecs=opus")
    browser(["audio/ogg;codecs=opus"])
    assert.strictEqual(recordedType(), "audio/ogg;codecs=opus")
    browser(["audio/mp4"])
    assert.strictEqual(recordedType(), "audio/mp4")
    browser([])
    assert.strictEqual(recordedType(), undefined)
  })

  it("is nothing on an insecure page or in a browser without recording, and both say so", () => {
    vi.stubGlobal("window", { isSecureContext: false })
    assert.match(listeningProblem() ?? "", /HTTPS/)
    vi.stubGlobal("window", { isSecureContext: true })
    vi.stubGlobal("navigator", {})
    assert.match(listeningProblem() ?? "", /can.t record/)
    browser(["audio/mp4"])
    vi.stubGlobal("navigator", { mediaDevices: {} })
    assert.isNull(listeningProblem())
  })
})
