import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { catalogueOf } from "../../../../scripts/pageTexts.ts"
import { ofField } from "../../../../src/contract/failure.ts"
import { FAILURE_WORDS } from "../../../../src/contract/failures/words.ts"
import { FAILURES, failure } from "../../../../src/contract/failures.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

/** English words that no German sentence has. */
const ENGLISH = /\b(the|its|check|settings|is|to)\b/i
const URL = "ws://10.0.0.5:18789"

const speak = async (language: string) => {
  vi.resetModules()
  vi.stubGlobal("document", { documentElement: { lang: language } })
  vi.stubGlobal("pageTexts", catalogueOf(language))
  return import("../../../src/core/link/failureText.ts")
}

/** Some value for each place of a code's sentence. */
const valuesFor = (text: string) =>
  Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, name === "levels" ? "a, b" : "7"]))

describe("what the server says, on the page", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it("is German on a German page, whatever the code", async () => {
    const { failureText } = await speak("de")
    for (const [code, text] of Object.entries(FAILURES)) {
      const german = failureText(text, { code, values: valuesFor(text) })
      assert.notMatch(german.replace(/`[^`]*`|[“„][^”“]*[”“]/g, ""), ENGLISH, code)
      assert.notMatch(german, /[{}]/, code)
    }
  })

  it("has its values in it: words in the page's language, names and addresses as they are", async () => {
    const { ownFailureText } = await speak("de")
    assert.match(
      ownFailureText(failure("NOTHING_LISTENING", { address: URL, advice: "SET_GATEWAY_URL" })),
      /^Unter ws:.*18789 läuft kein Gateway: Starte es, oder setze /
    )
    assert.match(ownFailureText(failure("RUN_MODEL_TIMEOUT", { model: "one" })), /^das Modell one hat nicht/i)
    assert.match(ownFailureText(failure("RUN_MODEL_TIMEOUT")), /^dieses Modell hat nicht/i)
    const levels = failure("THINKING_LEVEL_CHOOSE", { given: '"high"', levels: "off, low, medium" })
    assert.strictEqual(
      ownFailureText(ofField("thinkingLevel", levels)),
      'thinkingLevel: Das Modell kennt die Denkstufe "high" nicht: Wähle off, low oder medium.'
    )
  })

  it("is Arabic on an Arabic one", async () => {
    const { failureText } = await speak("ar")
    for (const [code, text] of Object.entries(FAILURES))
      assert.match(failureText(text, { code, values: valuesFor(text) }), /\p{Script=Arabic}/u, code)
  })

  it("stays as it came without a code, or with one of another version", async () => {
    const { failureText } = await speak("de")
    assert.strictEqual(failureText("The disk is full.", undefined), "The disk is full.")
    assert.strictEqual(failureText("The disk is full.", { code: "OF_TOMORROW" }), "The disk is full.")
    assert.isNull(failureText(null, { code: "DISK_FULL" }))
  })

  it("is in the page's language in a failed request", async () => {
    await speak("de")
    const { createApiClient } = await import("../../../src/core/link/ApiClient.ts")
    const gateway = new FakeGateway()
    const { message, why } = failure("NO_TOKEN")
    gateway.fetch = async () => Response.json({ error: "gateway_failure", details: message, why }, { status: 502 })
    const answer = await createApiClient(gateway.env).version()
    assert.match(answer.ok ? "" : answer.error.message, /GATEWAY_TOKEN/)
    assert.notMatch(answer.ok ? "" : answer.error.message, ENGLISH)
  })

  it("is so where speech is refused, and ends in one full stop", async () => {
    await speak("de")
    const { createVoiceApi } = await import("../../../src/core/voice/VoiceApi.ts")
    const { message: details, why } = failure("VOICE_KEY_MISSING", { name: "OpenAI", file: "ENV_FILE" })
    const refuse = async () => Response.json({ error: "vendor_failure", details, why }, { status: 502 })
    const voice = createVoiceApi(refuse, "http://10.0.0.5", async (recording) => recording)
    const answer = await voice.speak("Hi", null, new AbortController().signal)
    assert.match(answer.ok ? "" : answer.message, /^OpenAI braucht einen Schlüssel: .*[^.]\.$/)
  })

  it("has words among the values that the catalogue knows", async () => {
    for (const word of Object.keys(FAILURE_WORDS)) assert.property(catalogueOf("de"), `why:${word}`)
  })
})
