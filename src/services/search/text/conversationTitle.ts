import { CUT_ENVELOPE, unwrapped } from "../../../contract/unwrapped.ts"

/** What a gateway says a conversation is called. */
export interface NamedConversation {
  readonly key: string
  readonly label?: string | null
  readonly derivedTitle?: string | null
  readonly displayName?: string | null
}

/** A conversation's title; `undefined` if its gateway has only its key or what it stored before the first message. */
export const conversationTitle = (row: NamedConversation): string | undefined =>
  [row.label, row.derivedTitle, row.displayName]
    .map((title) => unwrapped(title ?? "").trim())
    .find((title) => title !== "" && !CUT_ENVELOPE.test(title) && !row.key.endsWith(title))
