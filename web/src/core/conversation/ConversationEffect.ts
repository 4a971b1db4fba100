import type { ActionResult } from "../common/readable.ts"
import type { OutgoingImage, WrittenMessage } from "../link/Environment.ts"
import type { TurnEnd } from "./chatTypes.ts"

export type Timer = "paint" | "done" | "silence" | "read" | `grace ${string}`

/** What a gateway request was for; returned with the response. */
export type Asked =
  /** Requested at a mark. */
  | { readonly of: "abort"; readonly call: number; readonly askedAt: number }
  | {
      readonly of: "rewind"
      readonly call: number
      readonly key: string
      readonly id: string
      readonly text: string
      readonly images: ReadonlyArray<OutgoingImage>
    }

/** A request for the session's history. */
export interface ReadPlan {
  readonly id: number
  readonly isWhole: boolean
  readonly params: { readonly sessionKey: string; readonly limit: number; readonly maxChars?: number }
  /** The mark at the time of the request. */
  readonly askedAt: number
}

/** A request for what comes before the messages on screen. */
export interface OlderPlan {
  readonly sessionKey: string
  readonly protocol: number
  /** What is already on screen, and the maximum number of messages it was made from. */
  readonly sources: ReadonlySet<string>
  readonly count: number
  /** How many messages back from the end the last page went. */
  readonly offset: number
}

/** What to do outside the conversation. */
export type ConversationEffect =
  | { readonly type: "publish" }
  /** Starts or restarts a timer; `ms` null stops it. */
  | { readonly type: "timer"; readonly timer: Timer; readonly ms: number | null }
  | {
      readonly type: "request"
      readonly method: string
      readonly params: object
      readonly to: Asked
    }
  /** Gives a message to the console. */
  | { readonly type: "hand"; readonly message: WrittenMessage }
  /** Has the console send a message again that failed there. */
  | { readonly type: "again"; readonly id: string }
  | { readonly type: "read"; readonly plan: ReadPlan }
  | { readonly type: "readOlder"; readonly plan: OlderPlan; readonly first: string | null }
  /** The result of a person's action. */
  | { readonly type: "result"; readonly call: number; readonly result: ActionResult }
  | { readonly type: "turnEnd"; readonly turn: TurnEnd }
