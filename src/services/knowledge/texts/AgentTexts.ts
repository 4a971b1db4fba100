import { Effect, FileSystem, Path } from "effect"
import { isCalendarDate } from "../../../contract/schema/knowledge.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import { orStorageFailure, type StorageFailure } from "../../platform/storage/fileErrors.ts"
import { agentField, type Workspace, type WorkspaceForbidden } from "../agents/Workspace.ts"
import { type LooseText, type TextEdit, TextFiles } from "../files/TextFiles.ts"

/** The failures of reading and writing a text: this machine's disk, the gateway's rules, or the gateway itself. */
export type TextsError = StorageFailure | WorkspaceForbidden | GatewayError

/** The name of the long-term memory in every workspace. */
export const MEMORY_NAME = "MEMORY.md"

/** The name of a day's memory. */
export const dayName = (date: string): string => `memory/${date}.md`

/**
 * The texts of one agent that the console edits, on this machine or on that of an added gateway.
 * A name is the path in the agent's workspace, such as `SOUL.md` or `memory/2026-11-01.md`.
 */
export interface AgentTexts {
  /** The owner's name in events. */
  readonly owner: { readonly agent?: string; readonly gatewayId?: string }
  /** A session for calls of the agent's tools. */
  readonly sessionKey: string | undefined
  /** The name of its file, without the folder. */
  readonly fileOf: (name: string) => string
  /** Returns which of these names are available, and whether they exist. */
  readonly find: (
    names: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<{ readonly name: string; readonly exists: boolean }>, TextsError>
  /** The dates of the daily memories, newest first. */
  readonly days: Effect.Effect<ReadonlyArray<string>, TextsError>
  /** `undefined` if it doesn't exist. */
  readonly read: (name: string) => Effect.Effect<string | undefined, TextsError>
  /** The same for a text that may contain invalid UTF-8. */
  readonly readLoosely: (name: string) => Effect.Effect<LooseText | undefined, TextsError>
  /** Replaces a text with the rule's result; a concurrent write isn't lost. */
  readonly edit: <A, E>(
    name: string,
    rule: (text: string | undefined) => Effect.Effect<TextEdit<A>, E>
  ) => Effect.Effect<A, TextsError | E>
}

const DAILY_NAME = /^(\d{4}-\d{2}-\d{2})\.md$/
const DAYS = "memory/"

/** The dates of daily memories among file names, newest first. */
export const datesIn = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .flatMap((name) => DAILY_NAME.exec(name)?.[1] ?? [])
    .filter(isCalendarDate)
    .sort()
    .reverse()

/** Makes the texts of a workspace on this machine. */
export const localTexts = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const files = yield* TextFiles
  return (workspace: Workspace): AgentTexts => {
    const { agent, memoryDir, memoryPath, root } = workspace
    const pathOf = (name: string) => {
      if (name === MEMORY_NAME) return memoryPath
      return name.startsWith(DAYS) ? paths.join(memoryDir, name.slice(DAYS.length)) : paths.join(root, name)
    }
    const fileOf = (name: string) => paths.basename(pathOf(name))
    const read = (name: string) => files.read(pathOf(name), fileOf(name))
    return {
      owner: agentField(workspace),
      sessionKey: agent === undefined ? undefined : `agent:${agent}:main`,
      fileOf,
      find: (names) =>
        Effect.forEach(names, (name) => Effect.map(read(name), (text) => ({ name, exists: text !== undefined }))),
      days: fs.readDirectory(memoryDir).pipe(
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
        orStorageFailure("couldn't read the daily memory files"),
        Effect.map(datesIn)
      ),
      read,
      readLoosely: (name) => files.readLoosely(pathOf(name), fileOf(name)),
      edit: (name, rule) => files.edit(pathOf(name), fileOf(name), rule)
    }
  }
})
