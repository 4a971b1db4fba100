import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { catalogueOf } from "../../../../scripts/pageTexts.ts"
import { runFailure } from "../../../../src/services/board/runs/runFailure.ts"
import * as failures from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { SENTENCES } from "../../../src/core/link/serverSentences.ts"
import { FakeGateway } from "../support/FakeGateway.ts"
import { MACHINE_IN_SOURCES, SAID_OF_MACHINE } from "../support/machineSaid.ts"
import {
  IN_SOURCES,
  SAID,
  SAID_OF_CALLS,
  SAID_OF_MESSAGES,
  SAID_OF_VOICE,
  SAID_OF_WORK,
  URL
} from "../support/serverSaid.ts"

const sourceOf = (file: string): string =>
  readFileSync(new globalThis.URL(`../../../../${file}`, import.meta.url), "utf8").replace(/\$\{[^}]*\}/g, "{}")

/** English words that no German sentence has. */
const ENGLISH = /\b(the|its|check|settings|is|to)\b/i

describe("the sentences of the server on a German page", () => {
  beforeAll(() => {
    vi.resetModules()
    vi.stubGlobal("document", { documentElement: { lang: "de" } })
    vi.stubGlobal("pageTexts", catalogueOf("de"))
  })

  afterAll(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it.each(Object.entries({ ...IN_SOURCES, ...MACHINE_IN_SOURCES }))(
    "%s still says what the page knows",
    async (file, sentences) => {
      const { translated } = await import("../../../src/core/link/serverSentences.ts")
      const source = sourceOf(file)
      for (const sentence of sentences) {
        assert.include(source, sentence)
        const said = sentence.replaceAll("{}", "7")
        assert.notStrictEqual(translated(said), said)
      }
    }
  )

  it.each(SENTENCES)("knows %s from the others", async (sentence) => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const { say } = await import("../../../src/core/language/say.ts")
    for (const given of ["", ' "x"']) {
      const values: Record<string, string> = { given }
      for (const [, name = ""] of sentence.matchAll(/\{(\w+)\}/g)) values[name] ??= "7"
      const said = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")
      assert.strictEqual(translated(said), say(sentence, values))
      // One that begins with a name takes everything before it for the name.
      if (!sentence.startsWith("{")) assert.strictEqual(translated(`field: ${said}`), `field: ${say(sentence, values)}`)
    }
  })

  it("name what a gateway has already", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    assert.include(sourceOf("src/http/gateway/gateways/GatewaysApi.ts"), "`the gateway {} has this {} already`")
    assert.strictEqual(translated("the gateway Lab has this id already"), "Das Gateway Lab hat diese ID schon.")
    assert.strictEqual(
      translated("the gateway Lab has this address already"),
      "Das Gateway Lab hat diese Adresse schon."
    )
  })

  it("begin with a capital letter where the name of a model or provider comes first", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const said = runFailure(undefined, { failoverReason: "timeout", model: "one" })
    assert.match(translated(said), /^D(as Modell one|ieses Modell) hat nicht rechtzeitig geantwortet: /)
  })

  it("list what can be chosen in the page's language, and after the field that they're about", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const said = 'thinkingLevel: The model doesn\'t support the thinking level "high": choose off, low or medium.'
    assert.strictEqual(
      translated(said),
      'thinkingLevel: Das Modell kennt die Denkstufe "high" nicht: Wähle off, low oder medium.'
    )
  })

  it.each([
    ...new Set([...SAID, ...SAID_OF_CALLS, ...SAID_OF_MESSAGES, ...SAID_OF_VOICE, ...SAID_OF_WORK, ...SAID_OF_MACHINE])
  ])("%s", async (sentence) => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const german = translated(sentence)
    assert.notStrictEqual(german, sentence)
    assert.notMatch(german.replaceAll(URL, ""), ENGLISH)
    assert.notMatch(german, /[{}]/)
    if (sentence.includes(URL)) assert.include(german, URL)
    if (sentence.includes("sessions.list")) assert.include(german, "sessions.list")
  })

  it("are in German in a failed request, too", async () => {
    const { createApiClient } = await import("../../../src/core/link/ApiClient.ts")
    const gateway = new FakeGateway()
    const details = failures.openFailed(URL, { code: "ECONNREFUSED" }).message
    gateway.fetch = async () => Response.json({ error: "gateway_failure", details }, { status: 502 })
    const answer = await createApiClient(gateway.env).version()
    assert.match(answer.ok ? "" : answer.error.message, /^Unter ws:.* läuft kein Gateway: Starte es, oder setze /)
  })

  it("are in German where speech is refused, too, and end in one full stop", async () => {
    const { createVoiceApi } = await import("../../../src/core/voice/VoiceApi.ts")
    const details =
      "OpenAI needs a key: add it to the console's .env file and restart the console, or choose something else in Settings › Voice"
    const refuse = async () => Response.json({ error: "vendor_failure", details }, { status: 502 })
    const voice = createVoiceApi(refuse, "http://10.0.0.5", async (recording) => recording)
    const answer = await voice.speak("Hi", null, new AbortController().signal)
    assert.match(answer.ok ? "" : answer.message, /^OpenAI braucht einen Schlüssel: .*[^.]\.$/)
  })

  it("are shown as they came until they're known, such as why a message wasn't sent", async () => {
    const { createServerWords } = await import("../../../src/core/link/serverWords.ts")
    const told = Promise.withResolvers<void>()
    const words = createServerWords(told.resolve)
    const reason = "Not sent because the session was deleted."
    assert.strictEqual(words(reason), reason)
    await told.promise
    assert.strictEqual(words(reason), "Nicht gesendet, weil die Sitzung gelöscht wurde.")
  })

  it("stay as they are if the page doesn't know them", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    assert.strictEqual(translated("The disk is full."), "The disk is full.")
  })
})
