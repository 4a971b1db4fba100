import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import { parseJson, wordOf } from "../../../../src/contract/looseFields.ts"
import { parseMarkers } from "../../../../src/contract/markers/parseMarkers.ts"
import { actorText, fieldText, PROPOSED_FIELDS, valueText } from "../board/boardText.ts"
import type { TaskField } from "../board/boardTypes.ts"
import { columnTitle } from "../board/columns.ts"
import { say } from "../language/say.ts"
import type { InboxItem } from "./inboxTypes.ts"

/** The first paragraph of a text in one line, as it reads. */
export const firstWords = (text: string): string => {
  const [first = ""] = parseMarkers(text)
    .text.trim()
    .split(/\n\s*\n/)
  return first
    .replace(/^ {0,3}(?:#{1,6}|>) +/gm, "")
    .replace(/\*\*|`/g, "")
    .replace(/\s+/g, " ")
    .trim()
}

const PLACES: Readonly<Record<string, (folder: string) => string>> = {
  gateway: (folder) => say("Runs on the gateway, in the folder {folder}", { folder }),
  sandbox: (folder) => say("Runs in the sandbox, in the folder {folder}", { folder }),
  node: (folder) => say("Runs on a paired device, in the folder {folder}", { folder })
}

/** Its last line: a folder and a host. */
const PLACE = /(^|\n)([^\n]+) · (\w+)$/

/** Whether what is told about a request names the place where a command would run. */
const isPlaced = (detail: string): boolean => Object.hasOwn(PLACES, PLACE.exec(detail)?.[3] ?? "")

/** What is told about a command, with where it would run in words. */
export const placedText = (detail: string): string =>
  detail.replace(PLACE, (whole, start: string, folder: string, host: string) => {
    const place = PLACES[host]
    return place === undefined ? whole : `${start}${place(folder)}`
  })

/** One field of a proposed change, and the value it would get. */
export interface NewValue {
  readonly field: string
  readonly value: string
}

/** A value as it stands in a proposal's text: words as they are, all else as JSON. */
const shownValue = (field: TaskField, text: string, now: number): string => {
  if (field === "status") {
    const status = wordOf(TASK_STATUSES, text)
    return status === null ? text : columnTitle(null, status)
  }
  if (field === "assignee" && text !== "null") return actorText(text)
  const isData = field === "labels" || field === "dueAt" || field === "estimateMin" || text === "null"
  const value = isData ? parseJson(text) : text
  return isData && value === undefined ? text : valueText(field, value, null, now)
}

/** The fields of a proposed change; null if its text isn't a list of them. */
export const newValues = (detail: string, now: number): ReadonlyArray<NewValue> | null => {
  const found: Array<{ field: TaskField; text: string }> = []
  for (const line of detail.split("\n")) {
    const [, name, text = ""] = /^(\w+): ?(.*)$/.exec(line) ?? []
    const field = PROPOSED_FIELDS.find((one) => one === name)
    const last = found.at(-1)
    if (field !== undefined && !found.some((one) => one.field === field)) found.push({ field, text })
    else if (last === undefined) return null
    else last.text += `\n${line}`
  }
  return found.map(({ field, text }) => ({ field: fieldText(field), value: shownValue(field, text, now) }))
}

/** From this version on, gateways keep the arguments and the folder of a command that is always allowed. */
const KEPT_WHOLE = [2026, 8, 1]

const isKeptWhole = (version: string): boolean => {
  const numbers = version.split(/[.-]/).map(Number)
  const at = KEPT_WHOLE.findIndex((number, index) => number !== numbers[index])
  return at === -1 || (numbers[at] ?? 0) > (KEPT_WHOLE[at] ?? 0)
}

/**
 * What a command that is always allowed covers from then on, to stand beside its button, by the version of its gateway; null for what is no
 * command, or while the version isn't known. Older gateways keep the path of a program (their documents on approvals).
 */
export const lastingText = (
  { actions, detail, kind }: Pick<InboxItem, "actions" | "detail" | "kind">,
  version: string
): string | null => {
  if (kind !== "approval" || !actions.some(({ id }) => id === "allow-always") || !isPlaced(detail ?? "")) return null
  if (version === "") return null
  return isKeptWhole(version)
    ? say("Covers this exact command in this folder, for this agent")
    : say("Can cover this program with any arguments, for this agent")
}
