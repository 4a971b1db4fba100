import type { SeenItem, SeenState } from "./seenState.ts"

/** A difference between the page's own conversation and the console's that isn't a defect. */
export interface AllowedDifference {
  readonly name: string
  readonly reason: string
  /** Removes it from the two states where both are at the same moment. */
  readonly without: (page: SeenState, server: SeenState) => readonly [SeenState, SeenState]
}

type Change = (page: SeenItem, server: SeenItem) => readonly [SeenItem, SeenItem]

/** Changes the items that are at the same place on both sides. */
const inPairs = (page: SeenState, server: SeenState, change: Change): readonly [SeenState, SeenState] => {
  const pairs = page.items.map((item, at) => {
    const other = server.items[at]
    return other === undefined || other.kind !== item.kind ? ([item, other] as const) : change(item, other)
  })
  return [
    { ...page, items: pairs.map(([item]) => item) },
    { ...server, items: server.items.map((item, at) => pairs[at]?.[1] ?? item) }
  ]
}

/** Takes the console's value of fields that only it knows. */
const onlyThere =
  (kind: SeenItem["kind"], fields: ReadonlyArray<string>, isNothing: (value: unknown) => boolean): Change =>
  (page, server) => {
    if (page.kind !== kind) return [page, server]
    const known = Object.fromEntries(
      fields
        .filter((field) => isNothing(page[field]) && !isNothing(server[field]))
        .map((field) => [field, server[field]])
    )
    return [{ ...page, ...known }, server]
  }

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ""

const isOwn = (file: unknown): boolean => JSON.stringify(file).includes('"data:')

/** All allowed differences. The list may only get shorter. */
export const ALLOWED_DIFFERENCES: ReadonlyArray<AllowedDifference> = [
  {
    name: "live tool arguments and output",
    reason:
      "A newer gateway sends a turn's tool events only to the connection that asked for it, which is the console's. The page knows a tool's arguments, output, title and times from the history, or not at all.",
    without: (page, server) =>
      inPairs(page, server, onlyThere("tool", ["args", "output", "title", "startedAt", "durationMs"], isEmpty))
  },
  {
    name: "the sender's own pictures",
    reason: "The page that sent a picture shows it from its memory; the console names an address.",
    without: (page, server) =>
      inPairs(page, server, (one, other) =>
        one.kind === "user" && Array.isArray(one.media) && one.media.some(isOwn)
          ? [{ ...one, media: other.media }, other]
          : [one, other]
      )
  }
]

/** The same for the ends of turns, which aren't part of a state. */
export const ALLOWED_ENDS = {
  name: "stoppedBy",
  reason:
    "The page reports no end of a turn that it has stopped itself; the console reports it to all, and names the tab."
} as const
