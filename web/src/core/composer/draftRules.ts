import { listOf, numberOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { textVersion } from "../../../../src/contract/textVersion.ts"
import { say } from "../language/say.ts"
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

/** What the server has of a session's draft; null for no time where it knows nothing of the session. */
export interface ServerDraft {
  readonly text: string
  readonly at: number | null
  /** Where it was written. */
  readonly deviceId: string | null
}

/** What the composer has when the server's draft arrives. */
export interface LocalDraft {
  readonly text: string
  readonly mark: DraftMark | null
  /** Somebody is typing here right now. */
  readonly isTyping: boolean
}

/** `same`: nobody else wrote. `keep`: the words here count and become the newer ones. `take`: the server's count. */
export type DraftStep = "same" | "keep" | "take"

/**
 * Which words count. The server's order decides, not the clocks of devices: what the server tells of a later time than
 * this browser has heard of is newer than everything here that was saved. Words that weren't saved yet, or are being
 * typed, win over it; an empty field never does.
 */
export const draftStep = ({ isTyping, mark, text }: LocalDraft, server: ServerDraft): DraftStep => {
  if (server.at === null || server.at === mark?.at || server.text === text) return "same"
  return text !== "" && (isTyping || isUnsaved(text, mark)) ? "keep" : "take"
}

/** A line at the composer about another device's words, with the ones that can be had instead. */
export interface DraftNote {
  /** `taken`: they stand here now. `cleared`: they were sent or removed there. `kept`: those of here stayed. */
  readonly kind: "taken" | "cleared" | "kept"
  readonly from: "device" | "tab"
  readonly other: string
}

/** Devices are named by their browser and, behind a dot, their page. */
const browserOf = (deviceId: string): string => deviceId.split(".")[0] ?? ""

/** What to say when the server's words were taken, or those of here were kept, instead of the others. */
export const noteOf = (
  step: Exclude<DraftStep, "same">,
  local: {
    readonly text: string
    readonly deviceId: string
    readonly isOwn: boolean
    /** The browser had words of its own and has lost them: they come back from the server. */
    readonly isForgotten?: boolean
  },
  server: ServerDraft,
  before: DraftNote | null
): DraftNote | null => {
  const isTab = server.deviceId !== null && browserOf(server.deviceId) === browserOf(local.deviceId)
  const from = isTab ? "tab" : "device"
  const isBack = isTab && local.isForgotten === true
  // The tabs of a browser share what they remember, so that words of before a reload would count as another tab's.
  if (step === "keep")
    return server.text === "" || (isTab && !isBack) ? before : { kind: "kept", from, other: server.text }
  if (isBack) return before
  // Words that came from elsewhere are followed without a word; the way back leads to the last ones written here.
  if (!local.isOwn) return server.text === "" ? null : before
  return { kind: server.text === "" ? "cleared" : "taken", from, other: local.text }
}

/** The line, and its button. */
export const noteText = ({ from, kind }: DraftNote): { readonly text: string; readonly button: string } => {
  const isTab = from === "tab"
  switch (kind) {
    case "taken":
      return { text: isTab ? say("Draft from another tab") : say("Draft from another device"), button: say("Undo") }
    case "cleared":
      return {
        text: isTab ? say("Sent or removed on another tab") : say("Sent or removed on another device"),
        button: say("Undo")
      }
    case "kept":
      return {
        text: isTab
          ? say("Your words replaced a draft from another tab")
          : say("Your words replaced a draft from another device"),
        button: say("Use that one")
      }
  }
}
