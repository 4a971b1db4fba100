import { Context, Effect, FileSystem, Layer, Path, Schema } from "effect"
import { EventBus } from "../events/EventBus.ts"
import { orStorageFailure, type StorageFailure } from "../files/StorageFailure.ts"
import { TextChanged } from "../files/TextChanged.ts"
import { TextFiles } from "../files/TextFiles.ts"
import { isVersion, textVersion } from "../files/textVersion.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { GatewayTools } from "../gateway/GatewayTools.ts"
import { Settings } from "../settings/Settings.ts"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  oneLine,
  readMemorySection,
  replaceMemorySection
} from "./memoryMarkdown.ts"
import {
  isCalendarDate,
  type MemoryDeletion,
  type MemoryEntry,
  type MemoryInput,
  type MemorySectionInput
} from "./memorySchemas.ts"

/** How many daily files the list view shows (SPEC "Memories"). */
export const DAILY_FILES_LISTED = 7

const DEFAULT_SECTION = "General"
const DEFAULT_IMPORTANCE = 0.7
const VECTOR_STORE_LIMIT = "5 seconds"
const DAILY_NAME = /^(\d{4}-\d{2}-\d{2})\.md$/

/** No section or bullet of that text in that file. */
export class MemoryNotFound extends Schema.TaggedError<MemoryNotFound>()("MemoryNotFound", {}) {}

/** What became of a new memory; the gateway's vector store may fail without undoing the file (`storeFailure` says why). */
export interface MemoryAdded {
  readonly written: boolean
  readonly section: string
  readonly storeFailure: string | undefined
}

export interface MemoryDeleted {
  readonly deleted: number
  readonly source: "long-term" | "daily"
  /** File name, without its folder. */
  readonly file: string
  readonly type: "section" | "item" | "daily"
}

export interface MemoryShape {
  /** Long-term sections and bullets, then the section headings of the seven latest days, newest first. */
  readonly list: Effect.Effect<ReadonlyArray<MemoryEntry>, StorageFailure>
  readonly readSection: (
    title: string,
    date: string | undefined
  ) => Effect.Effect<string, MemoryNotFound | StorageFailure>
  /** Adds one bullet to the long-term file and tells the gateway's vector store. */
  readonly add: (input: MemoryInput) => Effect.Effect<MemoryAdded, StorageFailure>
  /** Answers the version of the new content. */
  readonly replaceSection: (
    input: MemorySectionInput
  ) => Effect.Effect<string, MemoryNotFound | TextChanged | StorageFailure>
  readonly remove: (input: MemoryDeletion) => Effect.Effect<MemoryDeleted, MemoryNotFound | StorageFailure>
}

/** What the agent remembers: the long-term file and one file a day (SPEC "Memories", D51). */
export class Memory extends Context.Service<Memory, MemoryShape>()("agent-console/services/memory/Memory") {
  static readonly layer = Layer.effect(
    Memory,
    Effect.gen(function* () {
      const settings = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const files = yield* TextFiles
      const tools = yield* GatewayTools
      const events = yield* EventBus

      const pathOf = (date: string | undefined) =>
        date === undefined ? settings.memoryPath : paths.join(settings.memoryDir, `${date}.md`)

      const changed = (action: "added" | "updated" | "deleted", path: string, section?: string) =>
        events.publish("memory.changed", {
          source: "api",
          action,
          ...(section === undefined ? {} : { section }),
          file: paths.basename(path)
        })

      const latestDays = fs.readDirectory(settings.memoryDir).pipe(
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
        orStorageFailure("the daily memory files cannot be read"),
        Effect.map((names) =>
          names
            .flatMap((name) => DAILY_NAME.exec(name)?.[1] ?? [])
            .filter(isCalendarDate)
            .sort()
            .reverse()
            .slice(0, DAILY_FILES_LISTED)
        )
      )

      const readText = (path: string) => files.read(path, paths.basename(path))

      /** A day that cannot be read is left out, so that one odd file never hides the others. */
      const headingsOf = Effect.fnUntraced(
        function* (date: string) {
          const headings = memoryOutline((yield* readText(pathOf(date))) ?? "").filter(
            (entry) => entry.type === "section"
          )
          return headings.map((entry): MemoryEntry => ({ type: "daily", date, text: entry.text }))
        },
        Effect.catchTag("StorageFailure", (failure) => Effect.as(Effect.logWarning(failure.message), []))
      )

      const list = Effect.gen(function* () {
        const longTerm = memoryOutline((yield* readText(settings.memoryPath)) ?? "")
        const daily = yield* Effect.forEach(yield* latestDays, headingsOf)
        return [...longTerm, ...daily.flat()]
      })

      const readSection = Effect.fn("Memory.readSection")(function* (title: string, date: string | undefined) {
        const content = readMemorySection((yield* readText(pathOf(date))) ?? "", title)
        return content === undefined ? yield* new MemoryNotFound() : content
      })

      const tellVectorStore = (input: MemoryInput) =>
        tools
          .invoke(
            "memory_store",
            {
              text: oneLine(input.text),
              category: input.category ?? "other",
              importance: input.importance ?? DEFAULT_IMPORTANCE
            },
            Schema.Unknown,
            { timeout: VECTOR_STORE_LIMIT }
          )
          .pipe(
            Effect.as(undefined),
            Effect.catch((error: GatewayError) => Effect.succeed(error.message))
          )

      const add = Effect.fn("Memory.add")(function* (input: MemoryInput) {
        const section = oneLine(input.section ?? "") || DEFAULT_SECTION
        const path = settings.memoryPath
        const written = yield* files.edit(path, paths.basename(path), (text) => {
          const next = addMemoryItem(text ?? "", section, input.text)
          return Effect.succeed({ text: next, value: next !== undefined })
        })
        if (!written) return { written, section, storeFailure: undefined }
        yield* changed("added", path, section)
        return { written, section, storeFailure: yield* tellVectorStore(input) }
      })

      const replaceSection = Effect.fn("Memory.replaceSection")(function* (input: MemorySectionInput) {
        const path = pathOf(input.date)
        const version = yield* files.edit(
          path,
          paths.basename(path),
          Effect.fnUntraced(function* (text: string | undefined) {
            const before = readMemorySection(text ?? "", input.title)
            const next = replaceMemorySection(text ?? "", input.title, input.content)
            if (next === undefined) return yield* new MemoryNotFound()
            if (!isVersion(input.version, before)) return yield* new TextChanged()
            return { text: next, value: textVersion(readMemorySection(next, input.title) ?? "") }
          })
        )
        yield* changed("updated", path, input.title)
        return version
      })

      const remove = Effect.fn("Memory.remove")(function* (input: MemoryDeletion) {
        const path = pathOf(input.date)
        const type = input.type ?? "item"
        const deleted = yield* files.edit(path, paths.basename(path), (text) => {
          const whole = type === "item" ? undefined : deleteMemorySection(text ?? "", input.query)
          const items = type === "item" ? deleteMemoryItem(text ?? "", input.query) : undefined
          if (whole !== undefined) return Effect.succeed({ text: whole, value: 1 })
          if (items !== undefined && items.deleted > 0)
            return Effect.succeed({ text: items.file, value: items.deleted })
          return new MemoryNotFound()
        })
        yield* changed("deleted", path, type === "item" ? undefined : input.query)
        const source = input.date === undefined ? "long-term" : "daily"
        return { deleted, source, file: paths.basename(path), type } satisfies MemoryDeleted
      })

      return Memory.of({ list, readSection, add, replaceSection, remove })
    })
  )
}
