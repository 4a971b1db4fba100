import { Context, Effect, Layer, Path, Schema } from "effect"
import { isVersion } from "../../../contract/textVersion.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/StorageFailure.ts"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { defaultWorkspace, type Workspace } from "../agents/Workspace.ts"
import { TextChanged } from "../files/TextChanged.ts"
import { TextFiles } from "../files/TextFiles.ts"

/** The six documents of an agent's workspace. */
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

/** Largest document, in bytes of UTF-8. */
export const MAX_DOCUMENT_BYTES = 100 * 1024

/** The document doesn't exist yet. */
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

/** The documents of one agent. */
export interface AgentDocuments {
  readonly list: Effect.Effect<ReadonlyArray<DocumentDescriptor>, StorageFailure>
  readonly read: (key: DocumentKey) => Effect.Effect<string, DocumentMissing | StorageFailure>
  /** Creates or replaces a document; with a version, only if it's unchanged since then (null: doesn't exist). */
  readonly write: (
    key: DocumentKey,
    content: string,
    version?: string | null
  ) => Effect.Effect<void, DocumentTooLarge | TextChanged | StorageFailure>
}

/** The default agent's documents, and access to other agents'. */
export interface DocumentsShape extends AgentDocuments {
  readonly of: (agent: string | undefined) => Effect.Effect<AgentDocuments, WorkspaceError>
}

/** The fixed documents in an agent's workspace that tell it who it is. */
export class Documents extends Context.Service<Documents, DocumentsShape>()(
  "agent-console/services/knowledge/documents/Documents"
) {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const files = yield* TextFiles
      const workspaces = yield* AgentWorkspaces
      const makeDocuments = ({ root }: Workspace): AgentDocuments => {
        const pathOf = (key: DocumentKey) => paths.join(root, DOCUMENTS[key])

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

        return { list: Effect.forEach(DocumentKey.literals, describe), read, write }
      }

      return Documents.of({
        ...makeDocuments(defaultWorkspace(settings)),
        of: (agent) => Effect.map(workspaces.of(agent), makeDocuments)
      })
    })
  )
}
