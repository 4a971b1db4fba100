import type { Component } from "@builder.io/qwik"
import { createObservable } from "../core/common/Observable.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"

type Part = Component<{ readonly item: UserItem }>

/** What a message says about its delivery; null until its chunk has arrived. */
export const shownDelivery = createObservable<{
  /** How far it has come, in its last line. */
  readonly Mark: Part
  /** What a person can do with one that waits, failed or may not have arrived. */
  readonly Waiting: Part
} | null>(null)
