import { posix } from "node:path"
import { Effect, FileSystem, Option } from "effect"
import type { Workspace } from "../../knowledge/agents/Workspace.ts"
import { DOCUMENTS } from "../../knowledge/documents/Documents.ts"
import { mtimeOf, type TextFilesShape } from "../../knowledge/files/TextFiles.ts"
import type { AskSearch } from "../SearchThread.ts"
import type { SearchPlace } from "../searchTypes.ts"
import { syncEntries } from "./syncEntries.ts"

/** The agent of files without an agent's name. */
export const DEFAULT_AGENT = "main"

/** A file of an agent, and its name in responses. */
interface KnowledgeFile {
  readonly path: string
  readonly name: string
  /** The latest time that counts as its change, in epoch milliseconds. */
  readonly newest?: number
}

const MEMORY_FOLDER = "memory"

/** The end of the local day that a file such as `2026-11-20.md` or `2026-11-20-boats.md` is about, in epoch milliseconds; NaN for any other. */
const endOfDay = (name: string): number =>
  Date.parse(`${/^(\d{4}-\d{2}-\d{2})(?:[-_ ].+)?\.md$/i.exec(name)?.[1]}T23:59:59.999`)

/** A note about a day counts as written on that day, so that it's sorted by its date. */
const dailyFile = (folder: string, name: string): KnowledgeFile => {
  const newest = endOfDay(name)
  const file = { path: posix.join(folder, name), name: `${MEMORY_FOLDER}/${name}` }
  return Number.isNaN(newest) ? file : { ...file, newest }
}

const placeOf = (kind: "memory" | "document", gatewayId: string, { agent }: Workspace): SearchPlace => ({
  kind,
  gatewayId,
  name: agent ?? "",
  agent: agent ?? DEFAULT_AGENT
})

/** Reads an agent's memory and documents into the index, as far as they have changed. */
export const makeKnowledgeSync = Effect.fnUntraced(function* (files: TextFilesShape, gatewayId: string) {
  const fs = yield* FileSystem.FileSystem

  const memoryFiles = Effect.fnUntraced(function* ({ memoryDir, memoryPath }: Workspace) {
    const names = yield* fs.readDirectory(memoryDir).pipe(Effect.orElseSucceed(() => []))
    const daily = names.filter((name) => name.endsWith(".md")).map((name) => dailyFile(memoryDir, name))
    return [{ path: memoryPath, name: posix.basename(memoryPath) }, ...daily]
  })

  const documents = ({ root }: Workspace): ReadonlyArray<KnowledgeFile> =>
    Object.values(DOCUMENTS).map((name) => ({ path: posix.join(root, name), name }))

  const listed = Effect.fnUntraced(function* (place: SearchPlace, { path, name, newest }: KnowledgeFile) {
    const info = yield* fs.stat(path).pipe(Effect.option)
    if (Option.isNone(info) || info.value.type !== "File") return []
    const changed = mtimeOf(info.value)
    const at = Math.min(changed, newest ?? changed)
    const stamp = `${changed} ${info.value.size} ${at}`
    const read = files.readLoosely(path, name).pipe(
      Effect.map((found) => found && { place, key: name, at, role: undefined, text: found.text, stamp }),
      // One file that can't be read keeps nobody from finding the others.
      Effect.catch((failure) => Effect.as(Effect.logWarning(failure.message), undefined))
    )
    return [{ key: name, stamp, read }]
  })

  const sync = Effect.fnUntraced(function* (ask: AskSearch, place: SearchPlace, all: ReadonlyArray<KnowledgeFile>) {
    const found = yield* Effect.forEach(all, (file) => listed(place, file))
    yield* syncEntries(ask, place, found.flat())
  })

  return Effect.fnUntraced(function* (ask: AskSearch, workspace: Workspace) {
    yield* sync(ask, placeOf("memory", gatewayId, workspace), yield* memoryFiles(workspace))
    yield* sync(ask, placeOf("document", gatewayId, workspace), documents(workspace))
  })
})
