import type { SearchKind } from "../../../../src/contract/search.ts"
import { say } from "../language/say.ts"
import type { SearchHit } from "./SearchStore.ts"

/** Hits of one conversation, or of one other place. */
export interface HitGroup {
  readonly key: string
  readonly title: string
  readonly kind: SearchKind
  readonly hits: ReadonlyArray<FoundHit>
}

/** A hit with a name of its own among all of an answer. */
export interface FoundHit {
  readonly id: string
  readonly hit: SearchHit
}

const PLACES: Readonly<Record<SearchKind, string>> = {
  message: say("Conversations no longer listed"),
  task: say("Cards"),
  memory: say("Memory"),
  document: say("Documents"),
  log: say("Agent log")
}

/** A place's name as a heading or on a filter. */
export const placeName = (kind: SearchKind): string => PLACES[kind]

const identity = ({ kind, sessionKey, messageId, taskId, path, at }: SearchHit): string =>
  [kind, sessionKey, messageId, taskId, path, at].join(" ")

/** The hits by conversation and place, in the order in which each appears first. */
export const groupHits = (
  hits: ReadonlyArray<SearchHit>,
  titleOf: (sessionKey: string) => string | null
): ReadonlyArray<HitGroup> => {
  const groups = new Map<string, { title: string; kind: SearchKind; hits: Array<FoundHit> }>()
  const times = new Map<string, number>()
  for (const hit of hits) {
    const isMessage = hit.kind === "message" && hit.sessionKey !== null
    const key = isMessage ? `session ${hit.gatewayId ?? ""} ${hit.sessionKey}` : hit.kind
    const known = isMessage ? (titleOf(hit.sessionKey) ?? hit.sessionTitle ?? hit.sessionKey) : PLACES[hit.kind]
    const group = groups.get(key) ?? { title: known, kind: hit.kind, hits: [] }
    const name = identity(hit)
    const time = times.get(name) ?? 0
    times.set(name, time + 1)
    group.hits.push({ id: time === 0 ? name : `${name} ${time}`, hit })
    groups.set(key, group)
  }
  return [...groups].map(([key, group]) => ({ key, ...group }))
}

/** Texts of a hit that lead to it, at most. */
const MAX_MARKS = 6

/** What a hit's snippet marks, each once and in lower case. */
export const marksOf = (hit: Pick<SearchHit, "snippet">): ReadonlyArray<string> => {
  const marks = hit.snippet.flatMap((part, at) => {
    // The snippet's end may cut a word in two.
    const isCut = hit.snippet[at + 1]?.text.startsWith("…") === true
    return part.hit ? [{ mark: part.text.trim().toLowerCase(), isCut }] : []
  })
  const whole = marks.filter(
    ({ isCut, mark }) => !isCut || !marks.some((other) => other.mark.startsWith(mark) && !other.isCut)
  )
  return [...new Set(whole.map(({ mark }) => mark))].filter((mark) => mark !== "").slice(0, MAX_MARKS)
}
