import { assert, describe, it } from "@effect/vitest"
import { announceTurns } from "../../src/chat/chatActivity.ts"
import { createObservable } from "../../src/core/common/Observable.ts"
import type { ChatItem, ChatState, TurnEnd } from "../../src/core/conversation/chatTypes.ts"

const STATE: ChatState = {
  sessionKey: "agent:main:a",
  status: "ready",
  message: null,
  items: [],
  activity: "IDLE",
  linked: true,
  deleted: false,
  running: false,
  aborting: false,
  queued: 0,
  phase: null,
  hasOlder: false,
  loadingOlder: false
}

const question = (key: string): ChatItem => ({
  kind: "user",
  key,
  at: 1,
  text: "?",
  images: [],
  delivery: "sent",
  error: null
})
const tool = (key: string, name: string): ChatItem => ({
  kind: "tool",
  key,
  at: 1,
  callId: key,
  name,
  title: null,
  args: null,
  output: "",
  status: "done",
  startedAt: 1,
  durationMs: 1
})

const world = (before: Partial<ChatState> = {}) => {
  const state = createObservable<ChatState>({ ...STATE, ...before })
  const said: Array<string> = []
  let end: (turn: TurnEnd) => void = () => {}
  const stop = announceTurns(
    {
      state,
      onTurnEnd: (listener) => {
        end = listener
        return () => {
          end = () => {}
        }
      }
    },
    (text) => said.push(text)
  )
  return {
    said,
    stop,
    becomes: (next: Partial<ChatState>) => state.set({ ...state.get(), ...next }),
    ends: (outcome: TurnEnd["outcome"], text = "") => end({ sessionKey: "a", outcome, text, question: "?" })
  }
}

describe("what screen readers announce of a turn", () => {
  it("is that it began, each tool once, and what was said", () => {
    const { becomes, ends, said } = world({ items: [question("q0"), tool("t0", "read")] })
    becomes({ running: true, items: [question("q1")] })
    becomes({ activity: "STREAMING" })
    becomes({ items: [question("q1"), tool("t1", "exec")] })
    becomes({ items: [question("q1"), tool("t1", "exec"), tool("t2", "exec"), tool("t3", "read")] })
    // An older page is read meanwhile.
    becomes({ items: [tool("old", "write"), question("q1"), tool("t1", "exec")] })
    ends("done", "All [tts: done] **done**.")
    becomes({ running: false })
    assert.deepStrictEqual(said, [
      "The agent is working.",
      "The agent uses exec.",
      "The agent uses read.",
      "All  **done**."
    ])
    becomes({ running: true, items: [question("q2")] })
    assert.strictEqual(said.at(-1), "The agent is working.")
  })

  it("leaves a failure to its alert, and says that a response was stopped", () => {
    const { ends, said } = world({ running: true })
    ends("error", "half")
    ends("aborted")
    assert.deepStrictEqual(said, ["", "Response stopped."])
  })

  it("begins with what happens after the conversation was opened, and ends with it", () => {
    const { becomes, said, stop } = world({ running: true, items: [question("q"), tool("t", "exec")] })
    becomes({ items: [question("q"), tool("t", "exec"), tool("u", "read")] })
    stop()
    becomes({ running: false })
    becomes({ running: true })
    assert.deepStrictEqual(said, ["The agent uses read."])
  })
})
