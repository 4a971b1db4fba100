import { assert, describe, it } from "@effect/vitest"
import {
  markNote,
  type NoteCode,
  noteOf,
  splitEvents
} from "../../../../../src/services/conversations/history/gatewayNotes.ts"
import { follows, ID } from "../../../../../test/services/board/runs/askedRun.ts"

const user = (provenance?: object) => ({ role: "user", ...(provenance === undefined ? {} : { provenance }) })

describe("messages nobody in the conversation wrote", () => {
  it("are notes, by where they come from", () => {
    const cases: ReadonlyArray<
      readonly [provenance: { readonly kind: string; readonly sourceTool?: string }, from: NoteCode]
    > = [
      [{ kind: "internal_system", sourceTool: "main_session_restart_recovery" }, "GATEWAY"],
      [{ kind: "internal_system", sourceTool: "cron" }, "SCHEDULED_JOB"],
      [{ kind: "internal_system" }, "GATEWAY"],
      [{ kind: "inter_session", sourceTool: "sessions_send" }, "OTHER_SESSION"],
      [{ kind: "inter_session", sourceTool: "exec_approval_followup" }, "GATEWAY"],
      [{ kind: "something_new" }, "GATEWAY"]
    ]
    for (const [provenance, from] of cases)
      assert.deepStrictEqual(noteOf(user(provenance), "[System] Words."), {
        from: { code: from },
        text: provenance.kind === "inter_session" || from === "SCHEDULED_JOB" ? "[System] Words." : "Words."
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
      from: { code: "OTHER_SESSION" },
      text: "Hello there."
    })
  })

  it("are known by their words where the gateway does not say", () => {
    assert.deepInclude(noteOf(user(), "Read HEARTBEAT.md if it exists (workspace context)."), {
      from: { code: "GATEWAY" }
    })
    assert.deepInclude(noteOf({ role: "assistant" }, "[chat.history unavailable: transcript too large to display]"), {
      from: { code: "GATEWAY" }
    })
    assert.deepStrictEqual(noteOf(user(), "[cron:0b9a4f52-7c1d-4a55-8c43-2f6c1a7d9e20 Morning report] Report."), {
      from: { code: "SCHEDULED_JOB" },
      text: "[Morning report] Report."
    })
    const [{ text = "" } = {}] = follows("denied", "user-denied").content
    assert.deepStrictEqual(noteOf(user(), text), {
      from: { code: "GATEWAY" },
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
    assert.deepInclude(markNote({ role: "system", __openclaw: { kind: "compaction" } }), { code: "COMPACTED" })
    assert.isNull(markNote({ role: "system", __openclaw: { kind: "reset" } }))
    assert.isNull(markNote({ role: "custom" }))
  })
})
