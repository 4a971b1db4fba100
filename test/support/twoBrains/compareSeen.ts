import { ALLOWED_DIFFERENCES } from "./allowedDifferences.ts"
import type { SeenState } from "./seenState.ts"

/** What was compared so far, and the frames of channels by their kind; `combined` are patches for several states. */
export const compared = { states: 0, items: 0, patches: 0, combined: 0, snapshots: 0, same: 0 }

const words = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const fieldsThatDiffer = (
  where: string,
  page: Readonly<Record<string, unknown>>,
  server: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(page), ...Object.keys(server)])].flatMap((name) =>
    JSON.stringify(page[name]) === JSON.stringify(server[name])
      ? []
      : [`${where}.${name}: the page has ${words(page[name])}, the console ${words(server[name])}`]
  )

/** Everything in which two states differ that isn't on the list of allowed differences. */
export const differences = (page: SeenState, server: SeenState): ReadonlyArray<string> => {
  compared.states += 1
  compared.items += server.items.length
  const [one, other] = ALLOWED_DIFFERENCES.reduce<readonly [SeenState, SeenState]>(
    ([left, right], { without }) => without(left, right),
    [page, server]
  )
  const count = Math.max(one.items.length, other.items.length)
  return [
    ...fieldsThatDiffer("head", one.head, other.head),
    ...Array.from({ length: count }, (_, at) =>
      fieldsThatDiffer(`item ${at}`, one.items[at] ?? {}, other.items[at] ?? {})
    ).flat()
  ]
}
