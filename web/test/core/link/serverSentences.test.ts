import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { catalogueOf } from "../../../../scripts/pageTexts.ts"
import { judgeClose, judgeRefusal } from "../../../../src/contract/gatewayCodes.ts"
import { ADDED_NAMES, PRIMARY_NAMES } from "../../../../src/contract/gatewayNames.ts"
import { GATEWAY_AGENTS_PROBLEMS } from "../../../../src/services/access/agents/gatewayAgentsState.ts"
import { callFailed } from "../../../../src/services/gateway/client/callFailures.ts"
import * as cli from "../../../../src/services/gateway/client/cliFailures.ts"
import { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import * as failures from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { unknownModel } from "../../../../src/services/gateway/sessions/sessionRules.ts"
import * as outbox from "../../../../src/services/outbox/outboxDelivery.ts"
import { judgeResponse, judgeSilence } from "../../../../src/services/push/deliveryVerdict.ts"
import { CALL_SENTENCES } from "../../../src/core/link/sentences/callSentences.ts"
import { LINK_SENTENCES } from "../../../src/core/link/sentences/linkSentences.ts"
import { MESSAGE_SENTENCES } from "../../../src/core/link/sentences/messageSentences.ts"
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

/** Refused calls by the gateway's finer code, with what was given and without. */
const CALLS = [
  { code: "UNKNOWN_METHOD" },
  { code: "MISSING_SCOPE" },
  { code: "UNAUTHORIZED_ROLE" },
  { code: "OVERRIDE_NOT_ALLOWED" },
  { code: "RATE_LIMITED" },
  { code: "CONFIG_CHANGED" },
  { code: "UNKNOWN_MODEL", params: { model: "acme/one" } },
  { code: "MODEL_NEEDS_PLUGIN", params: { model: "acme/one" } },
  { code: "INVALID_THINKING_LEVEL", params: { thinkingLevel: "high" } },
  { code: "INVALID_THINKING_LEVEL", params: { thinkingLevel: "high" }, message: "(use off|low|medium)" },
  { code: "LABEL_IN_USE", params: { label: "Notes" } },
  { code: "SESSION_KEY", params: { key: "x" } },
  { code: "REQUEST_SETTLED" },
  { code: "CRON_JOB_NOT_FOUND" },
  { code: "CRON_INCOMPLETE" },
  { code: "CRON_NEVER", params: { schedule: { expr: "0 0 31 2 *" } } },
  { code: "CRON_EXPRESSION", params: { schedule: { expr: "x" } } },
  { code: "CRON_ZONE", params: { schedule: { tz: "Nowhere" } } },
  { code: "CRON_TIME", params: { schedule: { at: "x" } } },
  { code: "CRON_TIME_PAST", params: { schedule: { at: "x" } } },
  { code: "CRON_TIME_FAR", params: { schedule: { at: "x" } } },
  { code: "CRON_PAYLOAD" },
  { code: "CRON_AGENT", params: { agentId: "nobody" } },
  { code: "CRON_WEBHOOK", params: { delivery: { to: "x" } } },
  { code: "UNKNOWN_CHANNEL", params: { delivery: { channel: "fax" } } }
]

const refused = (code: string, message: string, params: object, detail?: string) => {
  const error = { code, message, detail, requestId: undefined, retryable: undefined, retryAfterMs: undefined }
  return callFailed({ method: "sessions.patch", params, error }).message
}

/** Codes with which the gateway refuses the connection. */
const REFUSALS = [
  "AUTH_TOKEN_NOT_CONFIGURED",
  "AUTH_PASSWORD_MISSING",
  "AUTH_RATE_LIMITED",
  "AUTH_DEVICE_TOKEN_MISMATCH",
  "DEVICE_IDENTITY_REQUIRED",
  "DEVICE_AUTH_SIGNATURE_INVALID",
  "DEVICE_AUTH_SIGNATURE_EXPIRED",
  "CONTROL_UI_ORIGIN_NOT_ALLOWED",
  "PROTOCOL_MISMATCH",
  "AUTH_OTHER",
  "OTHER"
]

/** What the server says of calls and of a refused connection. */
const SAID_OF_CALLS = [
  ...CALLS.flatMap(({ code, message = "", params = {} }) => [
    refused("INVALID_REQUEST", message, params, code),
    refused("INVALID_REQUEST", message, {}, code)
  ]),
  refused("FORBIDDEN", "", {}),
  refused("INVALID_REQUEST", "", {}),
  refused("INVALID_REQUEST", "invalid sessions.patch params: at /label: is too long", { label: "Notes" }),
  refused("INVALID_REQUEST", "invalid sessions.patch params: unexpected property 'label'", { label: "Notes" }),
  refused("OTHER", "", {}),
  unknownModel("acme/one", []),
  unknownModel("acme/one", [{ id: "acme/two" }]),
  failures.wrongShape("sessions.list").message,
  failures.toolNotAllowed("cron").message,
  failures.notApproved(undefined).message,
  failures.notApproved("a1b2").message,
  failures.linkEnded(1009).message,
  failures.linkEnded(4001).message,
  ...[PRIMARY_NAMES, ADDED_NAMES].flatMap((names) => REFUSALS.map((code) => judgeRefusal({ code }, names).sentence)),
  judgeClose(1008, "unauthorized")?.sentence ?? "",
  ...Object.values(cli).flatMap((made) => (made instanceof GatewayError ? [made.message] : []))
]

const sentenceOf = (verdict: object): ReadonlyArray<string> =>
  "sentence" in verdict && typeof verdict.sentence === "string" ? [verdict.sentence] : []

/** What the server says of messages, notifications and agents. */
const SAID_OF_MESSAGES = [
  ...Object.values(outbox).filter((value) => typeof value === "string"),
  ...Object.values(GATEWAY_AGENTS_PROBLEMS),
  ...["The push service", "hooks.example"].flatMap((service) =>
    [429, 500, 302, 413, 403, 400].flatMap((status) =>
      sentenceOf(judgeResponse({ status }, { attempt: 1, now: 0, service }))
    )
  ),
  ...(["private", "timeout", "unreachable"] as const).flatMap((silence) =>
    sentenceOf(judgeSilence(silence, { attempt: 1, now: 0, host: "push.example" }))
  )
]

const services = "src/services"

/** Sentences that are made where no test gets at them, by their file; {} stands for what changes. */
const IN_SOURCES: Readonly<Record<string, ReadonlyArray<string>>> = {
  [`${services}/gateway/client/GatewayTools.ts`]: [
    "The gateway's tool failed: check the gateway's log for the reason.",
    "The gateway rejected the console's token: {}."
  ],
  [`${services}/gateway/crons/Crons.ts`]: [
    "The gateway didn't start the job: check that its schedule is on, and check the gateway's log."
  ],
  [`${services}/gateway/media/GatewayMedia.ts`]: [
    "The gateway didn't send the file in time: try again, and check the gateway's log if it keeps happening.",
    "The gateway stopped while sending the file: try again.",
    "The gateway refused to send the file: check GATEWAY_TOKEN and the gateway's settings.",
    "The gateway couldn't send the file: check the gateway's log for the reason.",
    "the gateway no longer has this file",
    "this file type can't be shown here",
    "the file is larger than 64 MB, the limit for showing it here"
  ],
  [`${services}/inbox/gatewayDesk.ts`]: ["The gateway didn't take the answer: check it and try again."],
  "src/http/gateway/crons/CronsApi.ts": [
    "The gateway has no cron job with this id.",
    "The job is already running: wait until it has ended.",
    "The gateway limits how often jobs can be changed: try again in a minute."
  ],
  [`${services}/access/agents/gatewayAgentsState.ts`]: [
    "must be an address such as http://192.168.1.20:3080, without a path"
  ],
  [`${services}/gateway/registry/gatewayEntry.ts`]: [
    "must be 1 to 64 small letters, digits and hyphens",
    "must be 1 to {} characters in one line",
    "must be an http, https, ws or wss address with nothing after the port",
    "must be 1 to 4096 characters without spaces"
  ],
  [`${services}/push/PushSender.ts`]: [
    "That device no longer accepts notifications, so it was removed: switch them on there again."
  ],
  [`${services}/push/Recipients.ts`]: [
    "{} isn't a push service the console may contact: check PUSH_ALLOWED_ORIGINS.",
    "The device's keys can't be read: switch notifications off and on again."
  ],
  "src/http/access/agents/AgentTokensApi.ts": [
    "there's no such token: it was revoked before",
    "another token has this name: choose another one, or revoke that token first",
    "there are {} tokens already: revoke one of them first"
  ],
  "src/http/gateway/gateways/GatewaysApi.ts": [
    "this gateway is set by GATEWAY_URL and GATEWAY_TOKEN: change it there",
    "token: another host or port needs the token of the gateway there",
    "there are {} gateways already: remove one of them first"
  ],
  "src/http/gateway/push/PushApi.ts": [
    "there's no such device: it was removed, or its browser ended its notifications",
    "there are 100 devices already: remove one of them first"
  ],
  "src/http/knowledge/uploads/UploadsApi.ts": [
    "The files sent to this agent already take up 2 GB: delete some in its folder “uploads” first."
  ],
  "src/http/gateway/gateways/unknownGateway.ts": ["there's no such gateway: it may have been removed"],
  "src/http/gateway/outbox/outboxErrors.ts": [
    "There's no such message: it was taken back, or the agent has it.",
    "There's no gateway with this id.",
    "text: must not be empty unless something is attached",
    "A message's attachments can be 12 MB in total: send fewer or smaller ones.",
    "{} messages are waiting in this session already: take some of them back first.",
    "The waiting messages already take up 200 MB: take some of them back first."
  ],
  "src/http/search/SearchApi.ts": ["there's no gateway with that id"]
}

const sourceOf = (file: string): string =>
  readFileSync(new globalThis.URL(`../../../../${file}`, import.meta.url), "utf8").replace(/\$\{[^}]*\}/g, "{}")

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

  it.each(Object.entries(IN_SOURCES))("%s still says what the page knows", async (file, sentences) => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const source = sourceOf(file)
    for (const sentence of sentences) {
      assert.include(source, sentence)
      const said = sentence.replaceAll("{}", "7")
      assert.notStrictEqual(translated(said), said)
    }
  })

  it.each([...LINK_SENTENCES, ...CALL_SENTENCES, ...MESSAGE_SENTENCES])(
    "knows %s from the others",
    async (sentence) => {
      const { translated } = await import("../../../src/core/link/serverSentences.ts")
      const { say } = await import("../../../src/core/language/say.ts")
      for (const given of ["", ' "x"']) {
        const values: Record<string, string> = { given }
        for (const [, name = ""] of sentence.matchAll(/\{(\w+)\}/g)) values[name] ??= "7"
        const said = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")
        assert.strictEqual(translated(said), say(sentence, values))
        assert.strictEqual(translated(`field: ${said}`), `field: ${say(sentence, values)}`)
      }
    }
  )

  it("name what a gateway has already", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    assert.include(sourceOf("src/http/gateway/gateways/GatewaysApi.ts"), "`the gateway {} has this {} already`")
    assert.strictEqual(translated("the gateway Lab has this id already"), "Das Gateway Lab hat diese ID schon.")
    assert.strictEqual(
      translated("the gateway Lab has this address already"),
      "Das Gateway Lab hat diese Adresse schon."
    )
  })

  it("list what can be chosen in the page's language, and after the field that they're about", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    const said = 'thinkingLevel: The model doesn\'t support the thinking level "high": choose off, low or medium.'
    assert.strictEqual(
      translated(said),
      'thinkingLevel: Das Modell kennt die Denkstufe "high" nicht: Wähle off, low oder medium.'
    )
  })

  it.each([...new Set([...SAID, ...SAID_OF_CALLS, ...SAID_OF_MESSAGES])])("%s", async (sentence) => {
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

  it("stay as they are if the page doesn't know them", async () => {
    const { translated } = await import("../../../src/core/link/serverSentences.ts")
    assert.strictEqual(translated("The disk is full."), "The disk is full.")
  })
})
