import type { Effect } from "effect"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import type { StorageFailure } from "../../platform/storage/StorageFailure.ts"
import type { WorkspaceForbidden } from "../agents/agentErrors.ts"
import type { LooseText, TextEdit } from "../files/TextFiles.ts"

/** Why a text can't be read or written: the disk of this machine, the gateway's rules, or the gateway itself. */
export type TextsError = StorageFailure | WorkspaceForbidden | GatewayError

/** The long-term memory, by the name it has in every workspace. */
export const MEMORY_NAME = "MEMORY.md"

/** The name of a day's memory. */
export const dayName = (date: string): string => `memory/${date}.md`

/**
 * The texts of one agent that the console rewrites, wherever they are: on this machine, or on that of an added gateway.
 * A name is the path in the agent's workspace, such as `SOUL.md` or `memory/2026-11-01.md`.
 */
export interface AgentTexts {
  /** Whose they are, as events say it. */
  readonly owner: { readonly agent?: string; readonly gatewayId?: string }
  /** A session in which the agent's tools act. */
  readonly sessionKey: string | undefined
  /** The name of the file that stands for it, without its folder. */
  readonly fileOf: (name: string) => string
  /** Which of these can be had here, and whether they're there. */
  readonly find: (
    names: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<{ readonly name: string; readonly exists: boolean }>, TextsError>
  /** The dates of the daily memories, newest first. */
  readonly days: Effect.Effect<ReadonlyArray<string>, TextsError>
  /** `undefined` if it doesn't exist. */
  readonly read: (name: string) => Effect.Effect<string | undefined, TextsError>
  /** The same of a text that need not be whole UTF-8. */
  readonly readLoosely: (name: string) => Effect.Effect<LooseText | undefined, TextsError>
  /** Replaces it by what the rule makes of it; nothing written in between is lost. */
  readonly edit: <A, E>(
    name: string,
    rule: (text: string | undefined) => Effect.Effect<TextEdit<A>, E>
  ) => Effect.Effect<A, TextsError | E>
}
