import type { Effect } from "effect"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import type { Ending } from "./InboxLedger.ts"
import type { InvalidDecision } from "./inboxErrors.ts"
import type { CheckedDecision } from "./inboxRules.ts"
import type { StoredItem } from "./inboxStore.ts"

/** It was settled before, somewhere else; `ending` says how, as far as that is known by now. */
export interface Settled {
  readonly _tag: "Settled"
  readonly ending: Ending
}

/** Where items come from, which it follows as long as its scope is open, and where decisions about them go. */
export interface InboxDesk {
  readonly origins: ReadonlyArray<string>
  /** Carries a decision out; fails with `Settled` if somebody was faster. */
  readonly carryOut: (
    item: StoredItem,
    decision: CheckedDecision
  ) => Effect.Effect<void, Settled | GatewayError | StoreError | InvalidDecision>
  /** Reads again what waits, after a decision failed. */
  readonly readAgain: (origin: string) => Effect.Effect<void, GatewayError | StoreError>
}

export const settledAs = (ending: Ending): Settled => ({ _tag: "Settled", ending })
