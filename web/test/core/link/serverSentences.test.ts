import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { catalogueOf } from "../../../../scripts/pageTexts.ts"
import { judgeRefusal } from "../../../../src/contract/gatewayCodes.ts"
import { ADDED_NAMES, PRIMARY_NAMES } from "../../../../src/contract/gatewayNames.ts"
import * as failures from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const URL = "ws://10.0.0.5:18789"

/** What the server says of a gateway that can't be reached or refuses the token, for the first one and for added ones. */
const SAID = [
  failures.connecting.message,
  failures.starting.message,
  failures.noToken.message,
  failures.linkEnded("silent").message,
  failures.linkEnded(1006).message,
  failures.linkEnded(1012).message,
  failures.timedOut("sessions.list").message,
  ...[PRIMARY_NAMES, ADDED_NAMES].flatMap((names) => [
    ...[
      { code: "ECONNREFUSED" },
      { code: "ENOTFOUND" },
      { code: "CERT_HAS_EXPIRED" },
      { code: "EPIPE" },
      { status: 404 }
    ].map((failure) => failures.openFailed(URL, failure, names).message),
    failures.noHandshake(URL, names).message,
    judgeRefusal({ code: "AUTH_TOKEN_MISMATCH" }, names).sentence
  ])
]

/** English words that no German sentence has. */
const ENGLISH = /\b(the|its|check|settings|is|to)\b/i

describe("the sentences of the server on a German page", () => {
  beforeAll(async () => {
    vi.resetModules()
    vi.stubGlobal("document", { documentElement: { lang: "de" } })
    const { textKey } = await import("../../../src/core/language/textKey.ts")
    const named = Object.entries(catalogueOf("de")).map(([text, translation]) => [textKey(text), translation])
    vi.stubGlobal("pageTexts", Object.fromEntries(named))
  })

  afterAll(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it.each(SAID)("%s", async (sentence) => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const german = translated(sentence)
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

  it("stay as they are if the page doesn't know them", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    assert.strictEqual(translated("The disk is full."), "The disk is full.")
  })
})
