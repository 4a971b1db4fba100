import { textVersion } from "../../../../src/contract/textVersion.ts"
import { listOf, numberOf, parseJson } from "../common/decode.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** What the server had when this browser last heard of a session's draft. */
export interface DraftMark {
  /** The server's time of it. */
  readonly at: number
  /** Fingerprint of its text. */
  readonly version: string
}

const KEY = "agent-console:draft-marks"
const MAX_MARKS = 200

type Marks = ReadonlyArray<readonly [sessionKey: string, mark: DraftMark]>

const readMarks = (storage: KeyValueStorage): Marks =>
  listOf(parseJson(storage.getItem(KEY) ?? "")).flatMap((entry) => {
    const [key, at, version] = listOf(entry)
    const time = numberOf(at)
    return typeof key === "string" && time !== null && typeof version === "string" ? [[key, { at: time, version }]] : []
  })

/** Up to which state of the server's drafts this browser knows them; all tabs share it. */
export const draftMarks = (storage: KeyValueStorage) => ({
  get: (sessionKey: string): DraftMark | null => readMarks(storage).find(([key]) => key === sessionKey)?.[1] ?? null,
  set: (sessionKey: string, mark: DraftMark | null): void => {
    const others = readMarks(storage).filter(([key]) => key !== sessionKey)
    const marks: Marks = mark === null ? others : [...others, [sessionKey, mark]]
    try {
      const entries = marks.slice(-MAX_MARKS).map(([key, { at, version }]) => [key, at, version])
      storage.setItem(KEY, JSON.stringify(entries))
    } catch {
      // Without room, the server's draft is compared with this browser's once more after a reload.
    }
  }
})

export const markOf = (at: number, text: string): DraftMark => ({ at, version: textVersion(text) })

/** Whether the text isn't what the server had. */
export const isUnsaved = (text: string, mark: DraftMark | null): boolean =>
  mark === null ? text !== "" : textVersion(text) !== mark.version
