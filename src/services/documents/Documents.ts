import { Context, Effect, Layer, Path, Schema } from "effect"
import type { StorageFailure } from "../files/StorageFailure.ts"
import { TextChanged } from "../files/TextChanged.ts"
import { TextFiles } from "../files/TextFiles.ts"
import { isVersion } from "../files/textVersion.ts"
import { Settings } from "../settings/Settings.ts"

/** The six documents of an agent's workspace (SPEC "Workspace files"). */
export const DOCUMENTS = {
  soul: "SOUL.md",
  tools: "TOOLS.md",
  identity: "IDENTITY.md",
  user: "USER.md",
  agents: "AGENTS.md",
  heartbeat: "HEARTBEAT.md"
} as const

export const DocumentKey = Schema.Literals(["soul", "tools", "identity", "user", "agents", "heartbeat"])
export type DocumentKey = typeof DocumentKey.Type

/** Largest document, in bytes of UTF-8 (SPEC "Sizes and counts"). */
export const MAX_DOCUMENT_BYTES = 100 * 1024

/** The document has not been written yet. */
export class DocumentMissing extends Schema.TaggedError<DocumentMissing>()("DocumentMissing", {
  key: DocumentKey
}) {}

/** More than `MAX_DOCUMENT_BYTES`. */
export class DocumentTooLarge extends Schema.TaggedError<DocumentTooLarge>()("DocumentTooLarge", {
  bytes: Schema.Finite
}) {}

export interface DocumentDescriptor {
  readonly key: DocumentKey
  readonly filename: string
  readonly exists: boolean
}

export interface DocumentsShape {
  readonly list: Effect.Effect<ReadonlyArray<DocumentDescriptor>, StorageFailure>
  readonly read: (key: DocumentKey) => Effect.Effect<string, DocumentMissing | StorageFailure>
  /** Replaces a document, or makes it; with a version only where it is still as of that (null: not there). */
  readonly write: (
    key: DocumentKey,
    content: string,
    version?: string | null
  ) => Effect.Effect<void, DocumentTooLarge | TextChanged | StorageFailure>
}

/** The fixed documents that tell an agent who it is, kept in the gateway's workspace. */
export class Documents extends Context.Service<Documents, DocumentsShape>()(
  "agent-console/services/documents/Documents"
) {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const files = yield* TextFiles
      const pathOf = (key: DocumentKey) => paths.join(settings.gatewayHome, "workspace", DOCUMENTS[key])

      const describe = Effect.fnUntraced(function* (key: DocumentKey) {
        const text = yield* files.read(pathOf(key), DOCUMENTS[key])
        return { key, filename: DOCUMENTS[key], exists: text !== undefined }
      })

      const read = Effect.fn("Documents.read")(function* (key: DocumentKey) {
        const text = yield* files.read(pathOf(key), DOCUMENTS[key])
        return text === undefined ? yield* new DocumentMissing({ key }) : text
      })

      const write = Effect.fn("Documents.write")(function* (
        key: DocumentKey,
        content: string,
        version?: string | null
      ) {
        const bytes = new TextEncoder().encode(content).length
        if (bytes > MAX_DOCUMENT_BYTES) return yield* new DocumentTooLarge({ bytes })
        yield* files.edit(pathOf(key), DOCUMENTS[key], (text) =>
          isVersion(version, text) ? Effect.succeed({ text: content, value: undefined }) : new TextChanged()
        )
      })

      return Documents.of({ list: Effect.forEach(DocumentKey.literals, describe), read, write })
    })
  )
}
