import { assert, describe, it } from "@effect/vitest"
import { follows, ID } from "../../../../../test/services/board/runs/askedRun.ts"
import { markNote, noteOf, splitEvents } from "../../../../src/core/conversation/history/gatewayNotes.ts"

const user = (provenance?: object) => ({ role: "user", ...(provenance === undefined ? {} : { provenance }) })

describe("messages nobody in the conversation wrote", () => {
  it("are notes, by where they come from", () => {
    const cases: ReadonlyArray<
      readonly [provenance: { readonly kind: string; readonly sourceTool?: string }, from: string]
    > = [
      [{ kind: "internal_system", sourceTool: "main_session_restart_recovery" }, "The gateway"],
      [{ kind: "internal_system", sourceTool: "cron" }, "Scheduled job"],
      [{ kind: "internal_system" }, "The gateway"],
      [{ kind: "inter_session", sourceTool: "sessions_send" }, "Another session"],
      [{ kind: "inter_session", sourceTool: "exec_approval_followup" }, "The gateway"],
      [{ kind: "something_new" }, "The gateway"]
    ]
    for (const [provenance, from] of cases)
      assert.deepStrictEqual(noteOf(user(provenance), "[System] Words."), {
        from,
        text: provenance.kind === "inter_session" || from === "Scheduled job" ? "[System] Words." : "Words."
      })
  })

  it("are a person's without an origin, and with one outside of the gateway", () => {
    assert.isNull(noteOf(user(), "Hello"))
    assert.isNull(noteOf(user({ kind: "external_user", sourceChannel: "telegram" }), "Hello"))
    assert.isNull(noteOf({ role: "assistant" }, "A new session was started via /new or /reset."))
  })

  it("are left out when they are a helper's report", () => {
    for (const sourceTool of ["subagent_announce", "subagent_settle"])
      assert.strictEqual(noteOf(user({ kind: "inter_session", sourceTool }), "Report"), "hidden")
  })

  it("lose what is meant for the agent alone", () => {
    const told =
      "[Inter-session message] sourceSession=agent:main:x isUser=false\nThis content was routed by OpenClaw from another session.\nHello there."
    assert.deepStrictEqual(noteOf(user({ kind: "inter_session" }), told), {
      from: "Another session",
      text: "Hello there."
    })
  })

  it("are known by their words where the gateway does not say", () => {
    assert.deepInclude(noteOf(user(), "Read HEARTBEAT.md if it exists (workspace context)."), { from: "The gateway" })
    assert.deepInclude(noteOf({ role: "assistant" }, "[chat.history unavailable: transcript too large to display]"), {
      from: "The gateway"
    })
    assert.deepStrictEqual(noteOf(user(), "[cron:0b9a4f52-7c1d-4a55-8c43-2f6c1a7d9e20 Morning report] Report."), {
      from: "Scheduled job",
      text: "[Morning report] Report."
    })
    const [{ text = "" } = {}] = follows("denied", "user-denied").content
    assert.deepStrictEqual(noteOf(user(), text), {
      from: "The gateway",
      text: `Exec denied (gateway id=${ID}, user-denied): rm -r old`
    })
    assert.isNull(noteOf(user(), `What does this mean? ${text}`))
  })
})

describe("events in front of a message", () => {
  it("are taken off, several and long ones too", () => {
    assert.deepStrictEqual(
      splitEvents(
        "System: [2026-11-22 13:02:46 UTC] Model switched to a/b.\nSystem: [2026-11-22 13:02:47 GMT+1] Node:\nSystem: second line\n\nWhat now?\nSystem: mine"
      ),
      { events: ["Model switched to a/b.", "Node:\nsecond line"], rest: "What now?\nSystem: mine" }
    )
    assert.deepStrictEqual(splitEvents("System: [2026-11-22 13:02:46 UTC] Woke up."), {
      events: ["Woke up."],
      rest: ""
    })
  })

  it("are not what a person begins with the same word", () => {
    for (const text of ["System: reboot", "System: [x] reboot", "", "Hello\nSystem: [2026-11-22 13:02:46 UTC] no"])
      assert.deepStrictEqual(splitEvents(text), { events: [], rest: text })
  })
})

describe("marks of the gateway", () => {
  it("say where earlier messages were summed up", () => {
    assert.match(markNote({ role: "system", __openclaw: { kind: "compaction" } })?.text ?? "", /^Compacted/)
    assert.isNull(markNote({ role: "system", __openclaw: { kind: "reset" } }))
    assert.isNull(markNote({ role: "custom" }))
  })
})
