import { whenText } from "../common/dateText.ts"
import { asSentence, quotedTitle } from "../common/phrases.ts"
import { clockTime, daysFrom } from "../common/timeText.ts"
import { say } from "../language/say.ts"
import type { ApiFailure } from "../link/apiTypes.ts"
import type { CardWait, Task } from "./boardTypes.ts"

type Kind = CardWait["kind"]

/** What a card's face says first when it waits for several things: what takes longest to go away by itself. */
const FIRST: ReadonlyArray<Kind> = ["card", "person", "time", "stop", "budget", "gateway", "limit", "wip", "capacity"]

/** What holds every card of an agent; people's own cards don't mind. */
const OF_AGENTS: ReadonlySet<Kind> = new Set(["stop", "budget", "gateway", "limit"])

const SHORT: Readonly<Record<Exclude<Kind, "card" | "time" | "person">, string>> = {
  stop: say("everything is stopped"),
  budget: say("budget used up"),
  gateway: say("gateway away"),
  limit: say("usage limit reached"),
  wip: say("column is full"),
  capacity: say("agent busy")
}

const timeWords = (until: number, now: number): string =>
  daysFrom(until, now) === 0
    ? say("at {time}", { time: clockTime(until, now) })
    : say("starts {when}", { when: whenText(until, now) })

const shortText = ({ id, kind, title, until }: CardWait, now: number): string => {
  if (kind === "card") return say("after {title}", { title: title ?? say("another card") })
  if (kind === "person") return id === null ? say("automatic starts are off") : say("after a deleted card")
  if (kind === "time") return timeWords(until ?? now, now)
  return SHORT[kind]
}

const isAgents = ({ assignee, autoStart }: Task): boolean => autoStart || assignee?.startsWith("agent:") === true

/** The one thing that a card waits for, in a few words for its face; null if it waits for nothing. */
export const waitNote = (task: Task, now: number): string | null => {
  const waits = isAgents(task) ? task.waitsFor : task.waitsFor.filter(({ kind }) => !OF_AGENTS.has(kind))
  const cards = waits.filter(({ id, kind }) => id !== null && (kind === "card" || kind === "person"))
  if (cards.length > 1)
    return say("{done} of {total}", { done: task.after.length - cards.length, total: task.after.length })
  const first = waits.toSorted((a, b) => FIRST.indexOf(a.kind) - FIRST.indexOf(b.kind))[0]
  return first === undefined ? null : shortText(first, now)
}

/** One thing that a card waits for, as a sentence. */
export const waitSentence = ({ details, id, kind, title, until }: CardWait, now: number): string => {
  if (kind === "card")
    return say("{card} isn't done yet.", { card: title === null ? say("Another card") : quotedTitle(title) })
  if (kind === "time") return say("It's to start {when}.", { when: whenText(until ?? now, now) })
  return kind === "person" && id !== null ? say("A card it was to start after was deleted.") : asSentence(details)
}

/** A refused circle in words, with the cards on it; null for another failure. */
export const circleText = (
  { body }: ApiFailure,
  find: (id: string) => Pick<Task, "title"> | null | undefined
): string | null => {
  const { error, path } = body ?? {}
  if (error !== "cycle" || path === undefined) return null
  const titles = path.map((id) => find(id)?.title ?? id)
  return say("The cards would wait for each other in a circle: {path}.", { path: titles.join(" → ") })
}
