import { Context, Effect, Layer, Schema } from "effect"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  oneLine,
  readMemorySection,
  replaceMemorySection
} from "../../../contract/memory/memoryMarkdown.ts"
import type {
  MemoryDeletion,
  MemoryEntry,
  MemoryInput,
  MemorySectionInput
} from "../../../contract/schema/knowledge.ts"
import { isVersion, textVersion } from "../../../contract/textVersion.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import type { UnknownGateway } from "../../gateway/registry/gatewayEntry.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import type { WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { TextChanged } from "../files/TextFiles.ts"
import { dayName, MEMORY_NAME, type TextsError } from "../texts/AgentTexts.ts"
import { type OwnTexts, type TextsOwner, WorkspaceTexts } from "../texts/WorkspaceTexts.ts"

/** How many daily files the list view shows. */
const DAILY_FILES_LISTED = 7

const DEFAULT_SECTION = "General"
const DEFAULT_IMPORTANCE = 0.7
const VECTOR_STORE_LIMIT = "5 seconds"

/** The file has no section or bullet with this text. */
export class MemoryNotFound extends Schema.TaggedError<MemoryNotFound>()("MemoryNotFound", {}) {}

/**
 * The result of adding a memory; the gateway's vector store may fail without undoing the file (`storeFailure` says
 * why).
 */
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

/** The memory of one agent. */
export interface AgentMemory {
  /** Long-term sections and bullets, then the section headings of the seven latest days, newest first. */
  readonly list: Effect.Effect<ReadonlyArray<MemoryEntry>, TextsError>
  readonly readSection: (title: string, date: string | undefined) => Effect.Effect<string, MemoryNotFound | TextsError>
  /** Adds one bullet to the long-term file and to the gateway's vector store. */
  readonly add: (input: MemoryInput) => Effect.Effect<MemoryAdded, TextsError>
  /** Returns the new content's version. */
  readonly replaceSection: (
    input: MemorySectionInput
  ) => Effect.Effect<string, MemoryNotFound | TextChanged | TextsError>
  readonly remove: (input: MemoryDeletion) => Effect.Effect<MemoryDeleted, MemoryNotFound | TextsError>
}

/** The default agent's memory, and access to other agents'. */
export interface MemoryShape extends AgentMemory {
  readonly of: (owner: TextsOwner) => Effect.Effect<AgentMemory, WorkspaceError | UnknownGateway>
}

/** The memory of agents: a long-term file and one file per day. */
export class Memory extends Context.Service<Memory, MemoryShape>()("agent-console/services/knowledge/memory/Memory") {
  static readonly layer = Layer.effect(
    Memory,
    Effect.gen(function* () {
      const events = yield* EventBus
      const places = yield* WorkspaceTexts

      const makeMemory = ({ texts, tools }: OwnTexts): AgentMemory => {
        const nameOf = (date: string | undefined) => (date === undefined ? MEMORY_NAME : dayName(date))

        const changed = (action: "added" | "updated" | "deleted", name: string, section?: string) =>
          events.publish({
            event: "memory.changed",
            data: {
              source: "api",
              action,
              file: texts.fileOf(name),
              ...(section === undefined ? {} : { section }),
              ...texts.owner
            }
          })

        const latestDays = Effect.map(texts.days, (days) => days.slice(0, DAILY_FILES_LISTED))

        /** An incomplete write or another encoding doesn't hide the rest of a file. */
        const readText = Effect.fnUntraced(function* (name: string) {
          const found = yield* texts.readLoosely(name)
          return { text: found?.text ?? "", mark: found?.isDamaged === true ? ({ damaged: true } as const) : {} }
        })

        /** An unreadable day is omitted, so that one bad file doesn't hide the others. */
        const headingsOf = Effect.fnUntraced(
          function* (date: string) {
            const { text, mark } = yield* readText(nameOf(date))
            const headings = memoryOutline(text).filter((entry) => entry.type === "section")
            return headings.map((entry): MemoryEntry => ({ type: "daily", date, text: entry.text, ...mark }))
          },
          Effect.catch((failure) => Effect.as(Effect.logWarning(failure.message), []))
        )

        const list = Effect.gen(function* () {
          const { text, mark } = yield* readText(MEMORY_NAME)
          const longTerm = memoryOutline(text).map((entry): MemoryEntry => ({ ...entry, ...mark }))
          const daily = yield* Effect.forEach(yield* latestDays, headingsOf)
          return [...longTerm, ...daily.flat()]
        })

        const readSection = Effect.fn("Memory.readSection")(function* (title: string, date: string | undefined) {
          const content = readMemorySection((yield* readText(nameOf(date))).text, title)
          return content === undefined ? yield* new MemoryNotFound() : content
        })

        const updateVectorStore = (input: MemoryInput) =>
          tools
            .invoke(
              "memory_store",
              {
                text: oneLine(input.text),
                category: input.category ?? "other",
                importance: input.importance ?? DEFAULT_IMPORTANCE
              },
              Schema.Unknown,
              {
                timeout: VECTOR_STORE_LIMIT,
                ...(texts.sessionKey === undefined ? {} : { sessionKey: texts.sessionKey })
              }
            )
            .pipe(
              Effect.as(undefined),
              Effect.catch((error: GatewayError) => Effect.succeed(error.message))
            )

        const add = Effect.fn("Memory.add")(function* (input: MemoryInput) {
          const section = oneLine(input.section ?? "") || DEFAULT_SECTION
          const written = yield* texts.edit(MEMORY_NAME, (text) => {
            const next = addMemoryItem(text ?? "", section, input.text)
            return Effect.succeed({ text: next, value: next !== undefined })
          })
          if (!written) return { written, section, storeFailure: undefined }
          yield* changed("added", MEMORY_NAME, section)
          return { written, section, storeFailure: yield* updateVectorStore(input) }
        })

        const replaceSection = Effect.fn("Memory.replaceSection")(function* (input: MemorySectionInput) {
          const name = nameOf(input.date)
          const version = yield* texts.edit(
            name,
            Effect.fnUntraced(function* (text: string | undefined) {
              const before = readMemorySection(text ?? "", input.title)
              const next = replaceMemorySection(text ?? "", input.title, input.content)
              if (next === undefined) return yield* new MemoryNotFound()
              if (!isVersion(input.version, before)) return yield* new TextChanged()
              return { text: next, value: textVersion(readMemorySection(next, input.title) ?? "") }
            })
          )
          yield* changed("updated", name, input.title)
          return version
        })

        const remove = Effect.fn("Memory.remove")(function* (input: MemoryDeletion) {
          const name = nameOf(input.date)
          const type = input.type ?? "item"
          const deleted = yield* texts.edit(name, (text) => {
            const whole = type === "item" ? undefined : deleteMemorySection(text ?? "", input.query)
            const items = type === "item" ? deleteMemoryItem(text ?? "", input.query) : undefined
            if (whole !== undefined) return Effect.succeed({ text: whole, value: 1 })
            if (items !== undefined && items.deleted > 0)
              return Effect.succeed({ text: items.file, value: items.deleted })
            return new MemoryNotFound()
          })
          yield* changed("deleted", name, type === "item" ? undefined : input.query)
          const source = input.date === undefined ? "long-term" : "daily"
          return { deleted, source, file: texts.fileOf(name), type } satisfies MemoryDeleted
        })

        return { list, readSection, add, replaceSection, remove }
      }

      return Memory.of({
        ...makeMemory(places.standard),
        of: (owner) => Effect.map(places.of(owner), makeMemory)
      })
    })
  )
}
