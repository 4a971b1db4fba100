import { assert, describe, it } from "@effect/vitest"
import { givenTitle, previewOf, titleOfMessage } from "../../../../src/contract/sessionTitle.ts"
import { titleOfKey } from "../../../src/core/sessions/sessionRows.ts"

const SENDER =
  'Sender (untrusted metadata):\n```json\n{\n  "label": "gateway-client",\n  "id": "gateway-client"\n}\n```\n\n'
const STAMP = "[Sun 2026-11-22 14:06 UTC] "
const SWITCHED = "System: [2026-11-22 14:06:49 UTC] Model switched to mock/mock-think.\n\n"
const HINT =
  "\n\n(I said this aloud and will hear your answer. Put what should be read to me, short and without markup, into one [tts: …] marker.)"

type Case = readonly [recorded: string, shown: string | null]

const check = (cases: ReadonlyArray<Case>, shownOf: (recorded: string) => string | null) => {
  for (const [recorded, shown] of cases) assert.strictEqual(shownOf(recorded), shown, recorded)
}

describe("the title a gateway gives a session", () => {
  it("of the older generation is a part of the wrapped prompt, or the session's id", () =>
    check(
      [
        ['Sender (untrusted metadata): ```json { "label":…', null],
        ["System: [2026-11-22 14:06:49 UTC] Model switched to…", null],
        ["35a568b2 (2026-11-22)", null],
        ["35a568b2", null],
        ["A new session was started via /new or /reset. Run your…", null],
        ["[Sun 2026-11-22 14:06 UTC] [Subagent Context] You are…", null],
        ["[cron:5f3a Morning report] Give me a short report", null],
        ["Conversation info (untrusted metadata): ```json {…", null],
        [
          'Sender (untrusted metadata): ```json { "id": "x" } ``` [Sun 2026-11-22 14:06 UTC] Hello there',
          "Hello there"
        ],
        ["[Sun 2026-11-22 14:06 UTC] Count the birds", "Count the birds"],
        ["Telegram group: Family", "Telegram group: Family"]
      ],
      givenTitle
    ))

  it("of the newer generation is its model's summary, a name by lot, or nothing", () =>
    check(
      [
        ["Lisbon trip with children", "Lisbon trip with children"],
        ["clear-krill", null],
        ["kind-lobster", null],
        ["tidy-shell-3", null],
        ["calm-crab-prawn-x7f", null],
        ["well-being", "well-being"],
        ["[voice] Good morning (I said this aloud and will hear…", "Good morning"],
        ["   ", null]
      ],
      givenTitle
    ))

  it("is nothing where it is no text", () => {
    for (const odd of [null, undefined, 5, {}, ["x"]]) assert.isNull(givenTitle(odd))
  })
})

describe("the title of a message", () => {
  it("is what the person typed, in one short line", () =>
    check(
      [
        ["Plan a trip to Lisbon", "Plan a trip to Lisbon"],
        [`${SENDER}${STAMP}Plan a trip to Lisbon`, "Plan a trip to Lisbon"],
        [`${SWITCHED}${SENDER}${STAMP}First real words`, "First real words"],
        [`${SWITCHED}\n${STAMP}First real words`, "First real words"],
        [`[voice] Good morning${HINT}`, "Good morning"],
        ["two\n\nlines   here", "two lines here"],
        ["/etc/hosts looks wrong", "/etc/hosts looks wrong"],
        [
          "Plan a trip to Lisbon in May, please, with children and a dog that does not like the rain",
          "Plan a trip to Lisbon in May, please, with children and a…"
        ],
        ["x".repeat(80), `${"x".repeat(59)}…`]
      ],
      titleOfMessage
    ))

  it("is nothing for commands, for the gateway's own prompts and for pictures alone", () =>
    check(
      [
        ["/model mock/mock-think", null],
        ["/new", null],
        ["A new session was started via /new or /reset. Run your Session Startup sequence - read", null],
        ["OpenClaw runtime context (internal):\nThis context is runtime-generated", null],
        ["[System] Your previous turn was interrupted by a gateway restart", null],
        [`${SENDER}${STAMP}`, null],
        ["", null]
      ],
      titleOfMessage
    ))
})

describe("a preview", () => {
  it("is the last message as it was written", () =>
    check(
      [
        ["echo: hello", "echo: hello"],
        [`${SENDER}${STAMP}fail, please`, "fail, please"],
        [`${SENDER}${STAMP}`, null],
        [`${SENDER.slice(0, 60)}`, null],
        [`[voice] Good morning${HINT}`, "Good morning"]
      ],
      previewOf
    ))
})

describe("names of sessions without a row", () => {
  it("describe the key's content, never the key", () =>
    check(
      [
        ["agent:main:main", "Main"],
        ["agent:main:dashboard:7d3f4a10-92be-4c57-a2d6-18e0c5b9f733", "New session"],
        ["agent:main:subagent:7d3f4a10-92be-4c57-a2d6-18e0c5b9f733", "Sub-agent"],
        ["agent:main:notes", "notes"]
      ],
      titleOfKey
    ))
})
