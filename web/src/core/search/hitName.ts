import { dayHeading } from "../common/dateText.ts"
import { say } from "../language/say.ts"
import type { SearchHit } from "./searchTypes.ts"

/** A day's file, such as `memory/2026-11-24.md`, and what it is about if its name says so. */
const DAY_FILE = /^memory\/(\d{4}-\d\d-\d\d)(?:[-_ ](.+))?\.md$/i

type Place = Pick<SearchHit, "kind" | "path">

const dayFile = ({ kind, path }: Place) => (kind === "memory" && path !== null ? DAY_FILE.exec(path) : null)

/** Whether a hit is a day's memory, whose name tells its time already. */
export const isOfDay = (place: Place): boolean => dayFile(place) !== null

/** What a file that was found is called, as its screen calls it; its path if there are no words for it. */
export const hitName = (place: Place, now: number): string => {
  const { kind, path } = place
  const [, day, about] = dayFile(place) ?? []
  if (day !== undefined)
    return [dayHeading(day, now), ...(about === undefined ? [] : [about.replace(/[-_]+/g, " ")])].join(" · ")
  if (path === null) return say("Memory")
  return kind === "memory" && /^memory\.md$/i.test(path) ? say("Long-term memory") : path
}
