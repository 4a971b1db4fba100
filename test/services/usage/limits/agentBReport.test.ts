import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseAgentBOutput, resetTime } from "../../../../src/services/usage/limits/agentBLimits.ts"

const NOW = Date.parse("2026-11-20T10:00:00.000Z")

const SCREEN = [
  "\u001b[1mSettings:\u001b[22m  Status   Config   Usage",
  "",
  " Current session",
  " \u001b[34m██████▌           \u001b[39m  13% used",
  " Resets 3:59pm (America/New_York)",
  "",
  " Current week (all models)",
  " ██                 4.5% used",
  " Resets Nov 24 at 9am (Europe/Berlin)",
  "",
  " Current week (Opus)",
  " 90% used",
  " Resets Nov 25 at 9am (Europe/Berlin)"
]

it("reads both limits, whatever colours and bars surround them", () => {
  const expected = {
    available: true,
    session_limit: {
      used_percent: 13,
      left_percent: 87,
      resets_at_epoch: Date.parse("2026-11-20T20:59:00.000Z"),
      resets_at_raw: "3:59pm (America/New_York)"
    },
    weekly_limit: {
      used_percent: 4.5,
      left_percent: 95.5,
      resets_at_epoch: Date.parse("2026-11-24T08:00:00.000Z"),
      resets_at_raw: "Nov 24 at 9am (Europe/Berlin)"
    }
  } as const
  assert.deepStrictEqual(parseAgentBOutput(SCREEN.join("\n"), NOW, "UTC"), expected)
  assert.deepStrictEqual(parseAgentBOutput(SCREEN.join("\r\n"), NOW, "UTC"), expected)
})

it("reads one line a limit, what is left instead of used, and a limit without a reset", () => {
  const found = parseAgentBOutput("Current session: 40% left · resets 11pm\nCurrent week: 7% used", NOW, "Asia/Tokyo")
  assert.deepStrictEqual(found, {
    available: true,
    session_limit: {
      used_percent: 60,
      left_percent: 40,
      resets_at_epoch: Date.parse("2026-11-20T14:00:00.000Z"),
      resets_at_raw: "11pm"
    },
    weekly_limit: { used_percent: 7, left_percent: 93, resets_at_epoch: null, resets_at_raw: "" }
  })
})

it("names the next such moment in the zone it names", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["9am (UTC)", "2026-11-21T09:00:00.000Z"],
    ["12am (UTC)", "2026-11-21T00:00:00.000Z"],
    ["12:30pm (UTC)", "2026-11-20T12:30:00.000Z"],
    ["23:15 (UTC)", "2026-11-20T23:15:00.000Z"],
    ["Jan 2, 8am (UTC)", "2027-01-02T08:00:00.000Z"],
    ["Jul 1 at 9am (Europe/Berlin)", "2027-07-01T07:00:00.000Z"]
  ]
  for (const [raw, expected] of cases) {
    assert.strictEqual(resetTime(raw, NOW, "UTC"), Date.parse(expected), raw)
  }
  for (const raw of ["9am (Mars/Olympus)", "soon", "99:99", ""]) assert.isUndefined(resetTime(raw, NOW, "UTC"), raw)
})

it("has nothing to say of other texts", () => {
  for (const text of ["", "Invalid API key · Please run /login", "Current session\nCurrent week", "13% used"]) {
    assert.isUndefined(parseAgentBOutput(text, NOW, "UTC"), text)
  }
})

it.prop("never fails, and never returns a time in the past", [Schema.String], ([text]) => {
  const found = parseAgentBOutput(`Current session 5% used\nResets ${text}`, NOW, "UTC")
  assert.isAbove(found?.session_limit?.resets_at_epoch ?? Number.POSITIVE_INFINITY, NOW)
})
