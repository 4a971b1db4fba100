import { Effect, FileSystem, Path } from "effect"
import { isCalendarDate } from "../../../contract/schema/knowledge.ts"
import { orStorageFailure } from "../../platform/storage/StorageFailure.ts"
import { agentField, type Workspace } from "../agents/Workspace.ts"
import { TextFiles } from "../files/TextFiles.ts"
import { type AgentTexts, MEMORY_NAME } from "./AgentTexts.ts"

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
