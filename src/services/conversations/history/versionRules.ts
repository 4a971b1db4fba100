import { fieldsOf, filledText, numberOf, recordsOf, textOf } from "../../../contract/looseFields.ts"

/** The end of a version of the conversation that isn't the one on screen. */
export interface Tip {
  /** What the gateway switches to. */
  readonly leaf: string
  /** What was said last, its first 120 characters. */
  readonly headline: string
  readonly messages: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** A message's place in a version of the conversation. */
export interface Step {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Counted from 1 at the beginning of the conversation. */
  readonly seq: number
}

export type Path = ReadonlyArray<Step>

/** A message with these words, and an id under which the session with it can be read. */
export interface Hit {
  readonly messageId: string
  readonly sessionId: string
  readonly at: number
}

/** A question that was asked in several versions. */
export interface Versions {
  /** The message on screen. */
  readonly messageId: string
  /** Where each version ends, in the order in which they were asked; null for the one on screen. */
  readonly leaves: ReadonlyArray<string | null>
}

/** The conversation on screen, as far as its versions are concerned. */
export interface ShownPath {
  readonly steps: Path
  /** The id under which the version that was on screen before can be read. */
  readonly previousSessionId: string | null
  /** When the session was last cleared, epoch milliseconds: nothing older can be switched to. */
  readonly clearedAt: number
}

/** Words of a headline that are looked for: they have to stand in the same order. */
const MAX_WORDS = 8

/** Reads the versions that aren't on screen from a `sessions.branches.list` response. */
export const decodeTips = (answer: unknown): ReadonlyArray<Tip> =>
  recordsOf(fieldsOf(answer).branches).flatMap(({ leafEntryId, headline, messageCount, updatedAt, active }) => {
    const leaf = filledText(leafEntryId)
    if (leaf === null || active === true) return []
    const at = Date.parse(textOf(updatedAt) ?? "")
    return [
      {
        leaf,
        headline: textOf(headline) ?? "",
        messages: numberOf(messageCount) ?? 0,
        at: Number.isNaN(at) ? 0 : at
      }
    ]
  })

/** Reads the messages' places from a `chat.history` response. */
export const decodePath = (answer: unknown): Path =>
  recordsOf(fieldsOf(answer).messages).flatMap(({ __openclaw, timestamp }) => {
    const meta = fieldsOf(__openclaw)
    const id = filledText(meta.id)
    return id === null ? [] : [{ id, at: numberOf(timestamp) ?? 0, seq: numberOf(meta.seq) ?? 0 }]
  })

/** Reads the conversation on screen from a `chat.history` response. */
export function decodeShown(answer: unknown): ShownPath {
  const { messages, sessionInfo } = fieldsOf(answer)
  const cleared = recordsOf(messages).filter(({ __openclaw }) => fieldsOf(__openclaw).kind === "reset")
  return {
    steps: decodePath(answer),
    previousSessionId: filledText(fieldsOf(sessionInfo).previousSessionId),
    clearedAt: numberOf(cleared.at(-1)?.timestamp) ?? 0
  }
}

/** Reads a `sessions.search` response. */
export const decodeHits = (answer: unknown): ReadonlyArray<Hit> =>
  recordsOf(fieldsOf(answer).results).flatMap(({ messageId, sessionId, timestamp }) => {
    const [message, session] = [filledText(messageId), filledText(sessionId)]
    return message === null || session === null
      ? []
      : [{ messageId: message, sessionId: session, at: numberOf(timestamp) ?? 0 }]
  })

/** What to look for to find a version: the first words of what was said last in it; null if it has none. */
export function wordsOf({ headline }: Tip): string | null {
  const words = headline.match(/[\p{L}\p{N}]+/gu) ?? []
  // The gateway cuts a long headline anywhere, also within a word.
  const whole = headline.endsWith("…") ? words.slice(0, -1) : words
  return whole.length === 0 ? null : whole.slice(0, MAX_WORDS).join(" ")
}

/** The message a version ends with: the newest that isn't newer than the version itself. */
export const hitOf = (tip: Tip, hits: ReadonlyArray<Hit>): Hit | null =>
  hits.filter(({ at }) => at <= tip.at).toSorted((a, b) => b.at - a.at)[0] ?? null

/** Whether these messages are the end of the version. */
export const endsIn = (tip: Tip, path: Path): boolean => path.at(-1)?.seq === tip.messages

/** Where a version leaves the one on screen, and its own first message there; null if that can't be told. */
function partingOf(shown: Path, path: Path): { readonly from: Step; readonly own: Step } | null {
  const ids = new Set(path.map(({ id }) => id))
  const common = shown.findLastIndex(({ id }) => ids.has(id))
  const from = shown[common + 1]
  const own = path[path.findIndex(({ id }) => id === shown[common]?.id) + 1]
  if (from === undefined || own === undefined) return null
  return common < 0 && (from.seq > 1 || own.seq > 1) ? null : { from, own }
}

interface Other {
  readonly own: Step
  readonly tip: Tip
}

/** The questions on screen that have other versions. `paths` are those of the versions that could be read, by leaf. */
export function versionsIn(
  shown: Path,
  tips: ReadonlyArray<Tip>,
  paths: ReadonlyMap<string, Path>
): ReadonlyArray<Versions> {
  const questions = new Map<string, { readonly from: Step; readonly others: ReadonlyMap<string, Other> }>()
  for (const tip of tips) {
    const parting = partingOf(shown, paths.get(tip.leaf) ?? [])
    if (parting === null) continue
    const { from, own } = parting
    const others = questions.get(from.id)?.others ?? new Map<string, Other>()
    // A version that was itself continued in several ways is gone back to where it was left last.
    if ((others.get(own.id)?.tip.at ?? 0) > tip.at) continue
    questions.set(from.id, { from, others: new Map([...others, [own.id, { own, tip }]]) })
  }
  return [...questions.values()].map(({ from, others }) => ({
    messageId: from.id,
    leaves: [
      { at: from.at, leaf: null },
      ...[...others.values()].map(({ own, tip }) => ({ at: own.at, leaf: tip.leaf }))
    ]
      .toSorted((a, b) => a.at - b.at)
      .map(({ leaf }) => leaf)
  }))
}
