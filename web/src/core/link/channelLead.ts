import { fieldsOf, numberOf, textOf } from "../common/decode.ts"
import type { Channel, Environment } from "./Environment.ts"

/** How long a leader may take to say that there is one; tabs that start together wait differently long. */
const ANSWER_LIMIT = 200
const SPREAD = 200
/** A leader passes on the server's pings, one every 30 s; one that misses two has been ended or put to sleep. */
const MAX_SILENCE = 65_000

interface Roles {
  /** This tab is the leader now. */
  readonly lead: () => void
  /** Another tab has become the leader in its place. */
  readonly follow: () => void
}

/**
 * One leader among a browser's tabs without Web Locks, which pages on plain HTTP don't have: they agree over their
 * channel. Nobody tells a tab that the leader was ended or has been put to sleep, so it asks whenever it's shown, and
 * after a silence. Two that took the lead at once hear of each other, and the later one keeps it. Returns the function
 * that gives up the role.
 */
export function leadByChannel(
  env: Pick<Environment, "now" | "random" | "uuid" | "onWake" | "onLeave">,
  channel: Channel,
  { lead, follow }: Roles
): () => void {
  const id = env.uuid()
  /** When this tab took the lead; null while it follows. */
  let since: number | null = null
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const after = (ms: number, action: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(action, ms)
  }
  const tell = (role: "leads" | "asks" | "left") => channel.post({ role, since, id })

  function take(): void {
    since = env.now()
    tell("leads")
    lead()
  }

  function ask(limit = ANSWER_LIMIT): void {
    if (isOver) return
    tell(since === null ? "asks" : "leads")
    if (since === null) after(limit + env.random() * SPREAD, take)
  }

  const listen = () => after(MAX_SILENCE, () => ask())

  function leave(): void {
    clearTimeout(timer)
    if (since === null) return
    tell("left")
    since = null
    follow()
  }

  channel.onMessage((message) => {
    if (isOver) return
    const { role, ask: isQuestion, id: other, since: otherSince } = fieldsOf(message)
    if (isQuestion === true) return
    if (role === "asks") {
      if (since !== null) tell("leads")
      return
    }
    if (role === "left") return since === null ? ask(0) : undefined
    // Whatever else comes is from a leader: an event, or that it leads.
    if (since === null) return listen()
    if (role !== "leads") return
    const isLater = numberOf(otherSince) === since ? (textOf(other) ?? "") > id : (numberOf(otherSince) ?? 0) > since
    if (!isLater) return tell("leads")
    since = null
    follow()
    listen()
  })

  const stopWaking = env.onWake(() => ask())
  const stopLeaving = env.onLeave(leave)
  ask()
  return () => {
    leave()
    isOver = true
    stopWaking()
    stopLeaving()
  }
}
