import { type Component, createContextId, type QRL, type Signal } from "@builder.io/qwik"
import { createObservable } from "../core/common/Observable.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"

type Part = Component<{ readonly item: UserItem }>

export interface AnswerToolsProps {
  readonly text: string
  /** The newest response, which can be regenerated. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

/** What a message says about its delivery and what can be done with a response. */
export interface ShownDelivery {
  /** How far it has come, in its last line. */
  readonly Mark: Part
  /** What a person can do with one that waits, failed or may not have arrived. */
  readonly Waiting: Part
  readonly Tools: Component<AnswerToolsProps>
  /** Words of a person that may name files. */
  readonly Words: Component<{ readonly text: string }>
}

/** Null until their chunk has arrived. */
export const shownDelivery = createObservable<ShownDelivery | null>(null)

/**
 * The same for all messages of a log: Qwik keeps for each task of a component whatever was drawn and removed together
 * with it, so a message that followed this by itself would keep others in memory.
 */
export const DeliveryContext = createContextId<Signal<ShownDelivery | null>>("agent-console.delivery")
