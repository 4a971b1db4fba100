import type { Component, QRL } from "@builder.io/qwik"
import { createObservable } from "../core/common/Observable.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"

type Part = Component<{ readonly item: UserItem }>

export interface AnswerToolsProps {
  readonly text: string
  /** The newest response, which can be regenerated. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

/** What a message says about its delivery and what can be done with a response; null until their chunk has arrived. */
export const shownDelivery = createObservable<{
  /** How far it has come, in its last line. */
  readonly Mark: Part
  /** What a person can do with one that waits, failed or may not have arrived. */
  readonly Waiting: Part
  readonly Tools: Component<AnswerToolsProps>
  /** Words of a person that may name files. */
  readonly Words: Component<{ readonly text: string }>
} | null>(null)
