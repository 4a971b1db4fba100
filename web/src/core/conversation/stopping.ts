import { type Fields, listOf } from "../common/decode.ts"
import type { ActionResult } from "../common/readable.ts"
import { say } from "../language/say.ts"
import { publish } from "./activity.ts"
import { type Conversation, isRunning, todo } from "./Conversation.ts"
import type { Asked } from "./ConversationEffect.ts"
import { read } from "./reading.ts"
import { finish, letGo } from "./turnLife.ts"

type Stop = Omit<Extract<Asked, { of: "abort" }>, "of">

const answer = (state: Conversation, call: number, result: ActionResult): Conversation =>
  todo(state, { type: "result", call, result })

/** Stops the running turn. */
export function abort(state: Conversation, call: number): Conversation {
  if (!isRunning(state)) return answer(state, call, { ok: false, message: say("Nothing is running.") })
  const stopped = new Set([...state.stopped, ...state.turns.active.keys()])
  const next = publish({ ...state, aborting: true, stopped })
  const to = { of: "abort", call, askedAt: next.turns.heard } as const
  return todo(next, { type: "request", method: "chat.abort", params: { sessionKey: state.sessionKey }, to })
}

/** The gateway's response with the turns it stopped. */
export function aborted(state: Conversation, stop: Stop, told: Fields): Conversation {
  const ids = listOf(told.runIds).filter((id) => typeof id === "string")
  const known = { ...state, stopped: new Set([...state.stopped, ...ids]) }
  const ended = ids.reduce<Conversation>(
    (next, id) => finish(next, id, { outcome: "aborted", message: "", at: null }),
    known
  )
  if (told.aborted !== true) {
    // What wasn't heard of since is over, whatever the gateway's list says.
    const silent = [...ended.turns.active].filter(([, { heardAt }]) => heardAt <= stop.askedAt)
    const left = silent.reduce((next, [id]) => letGo(next, id), { ...ended, knownIdle: ids.length === 0 })
    return notAborted(read(left, true), stop, say("The gateway has no response to stop."))
  }
  return answer({ ...ended, stopped: new Set() }, stop.call, { ok: true, value: true })
}

export const notAborted = (state: Conversation, { call }: Stop, message: string): Conversation =>
  answer(publish({ ...state, stopped: new Set(), aborting: false }), call, { ok: false, message })
