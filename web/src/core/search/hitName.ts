import { dayOf } from "../common/dateText.ts"
import { say } from "../language/say.ts"
import type { SearchHit } from "./searchTypes.ts"

/** A day's file, such as `memory/2026-11-24.md`, and what it is about if its name says so. */
const DAY_FILE = /^memory\/(\d{4}-\d\d-\d\d)(?:[-_ ](.+))?\.md$/i

/** What a file that was found is called in words; its path if there are none. */
export const hitName = ({ kind, path }: Pick<SearchHit, "kind" | "path">, now: number): string => {
  if (path === null) return say("Memory")
  if (kind !== "memory") return path
  const [, day, about] = DAY_FILE.exec(path) ?? []
  if (day === undefined) return /^memory\.md$/i.test(path) ? say("Memory") : path
  const words = about === undefined ? [] : [about.replace(/[-_]+/g, " ")]
  return [say("Memory"), dayOf(day, now), ...words].join(" · ")
}
