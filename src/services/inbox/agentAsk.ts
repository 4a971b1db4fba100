import { Schema } from "effect"
import { filledText, flag, list, maybe, required } from "../../contract/schema/fields.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { headline } from "./headline.ts"
import { actionsOf } from "./inboxRules.ts"
import type { ItemDraft } from "./inboxStore.ts"

/** Most parts of one question, and most options of a part: what a person reads at one glance. */
export const MAX_PARTS = 4
const MAX_OPTIONS = 12

/** One part of what an agent asks with a tool. */
export const AskedPart = Schema.Struct({
  question: required(filledText(2_000)),
  options: maybe(list(filledText(200), 0, MAX_OPTIONS)),
  multiple: maybe(flag)
})
export type AskedPart = typeof AskedPart.Type

/** Who asks. */
export interface Asker {
  /** The id of its token. */
  readonly id: string
  readonly name: string
}

/** What an agent asks a person. */
export interface AgentAsk {
  readonly parts: ReadonlyArray<AskedPart>
  readonly taskId?: string
}

/** What became of a question; `answers` has the values of each part, in their order, once it's answered. */
export interface AskedState {
  readonly state: "waiting" | "answered" | "skipped" | "expired"
  readonly answers?: ReadonlyArray<{ readonly question: string; readonly answer: ReadonlyArray<string> }>
}

export const ASKED = "asked"

/** The item for a question; its own words are always taken as well. */
export const askDraft = (
  { parts, taskId }: AgentAsk,
  { name }: Asker,
  from: { readonly gatewayId: string; readonly source: string; readonly now: number }
): ItemDraft => ({
  gatewayId: from.gatewayId,
  origin: ASKED,
  source: from.source,
  kind: "question",
  title: headline(parts[0]?.question ?? ""),
  detail: `Asked by ${name}`,
  ...optionalEntry("taskId", taskId),
  createdAt: from.now,
  questions: parts.map(({ question, options = [], multiple = false }, index) => ({
    id: String(index + 1),
    text: question,
    ...(options.length === 0
      ? {}
      : { options: [...new Set(options)].map((label, at) => ({ id: String(at + 1), label })) }),
    multiple,
    freeText: true
  })),
  offers: actionsOf("question").map(({ id }) => id)
})

/** What the agent is told about its question. */
export const askedState = (
  { state, resolution, questions = [] }: InboxItem,
  answers: Readonly<Record<string, ReadonlyArray<string>>> | undefined
): AskedState => {
  if (state === "open") return { state: "waiting" }
  if (state === "expired") return { state: "expired" }
  if (resolution?.action !== "answer" || answers === undefined) return { state: "skipped" }
  return {
    state: "answered",
    answers: questions.map(({ id, text }) => ({
      question: text,
      answer: Object.hasOwn(answers, id) ? (answers[id] ?? []) : []
    }))
  }
}
