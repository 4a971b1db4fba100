import { type Fields, listOf } from "../common/decode.ts"
import type { ActionResult } from "../common/readable.ts"
import { publish } from "./activity.ts"
import { type Conversation, isRunning, todo } from "./Conversation.ts"
import type { Asked } from "./ConversationEffect.ts"
import { mustWait, release } from "./outbox.ts"
import { read } from "./reading.ts"
import { finish, letGo } from "./turnLife.ts"

type Stop = Omit<Extract<Asked, { of: "abort" }>, "of">

const DONE = { ok: true, value: true } as const

const answer = (state: Conversation, call: number | null, result: ActionResult): Conversation =>
  todo(state, { type: "result", call, result })

/** Stops the running turn; `steer` is a held message to send in its place. */
export function abort(state: Conversation, call: number | null, steer: string | null = null): Conversation {
  if (!isRunning(state)) return answer(state, call, { ok: false, message: "Nothing is running." })
  const stopped = new Set([...state.stopped, ...state.turns.active.keys()])
  const next = publish({ ...state, aborting: true, stopped, keepsHeld: state.keepsHeld || steer !== null })
  const to = { of: "abort", call, steer, askedAt: next.turns.heard } as const
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
    return notAborted(read(left, true), stop, "The gateway has no response to stop.")
  }
  return afterStop({ ...ended, stopped: new Set() }, stop, DONE)
}

export const notAborted = (state: Conversation, stop: Stop, message: string): Conversation =>
  afterStop(publish({ ...state, stopped: new Set(), aborting: false }), stop, { ok: false, message })

/** The message meant to replace the stopped turn is sent, unless the turn is still running. */
function afterStop(state: Conversation, { call, steer }: Stop, result: ActionResult): Conversation {
  if (steer === null) return answer(state, call, result)
  const next = { ...state, keepsHeld: false }
  return !result.ok && isRunning(next) ? answer(next, call, result) : answer(release(next, steer), call, DONE)
}

/** Sends a held message to the running turn; a gateway that can't do that stops the turn first. */
export function steer(state: Conversation, key: string, call: number | null): Conversation {
  const runs = isRunning(state)
  const { item } = state.timeline.find((entry) => entry.item.key === key) ?? {}
  if (item?.kind !== "user" || item.delivery !== "held") return answer(state, call, DONE)
  if (mustWait(state, item))
    return answer(state, call, { ok: false, message: "A command is sent when the response is done." })
  if (runs && (state.link?.protocol ?? 0) < 4) return abort(state, call, key)
  return answer(release(state, key, runs), call, DONE)
}
