import { Context, Effect, Layer, Schema } from "effect"
import { type DocumentEntry, DocumentKey } from "../../../contract/schema/knowledge.ts"
import { isVersion } from "../../../contract/textVersion.ts"
import type { UnknownGateway } from "../../gateway/registry/gatewayEntry.ts"
import type { WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { TextChanged } from "../files/TextFiles.ts"
import type { TextsError } from "../texts/AgentTexts.ts"
import { type OwnTexts, type TextsOwner, WorkspaceTexts } from "../texts/WorkspaceTexts.ts"

/** The six documents of an agent's workspace. */
export const DOCUMENTS = {
  soul: "SOUL.md",
  tools: "TOOLS.md",
  identity: "IDENTITY.md",
  user: "USER.md",
  agents: "AGENTS.md",
  heartbeat: "HEARTBEAT.md"
} as const

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

/** The documents of one agent. */
export interface AgentDocuments {
  /** Lists the documents, without those that the agent's gateway doesn't provide. */
  readonly list: Effect.Effect<ReadonlyArray<DocumentEntry>, TextsError>
  readonly read: (key: DocumentKey) => Effect.Effect<string, DocumentMissing | TextsError>
  /** Creates or replaces a document; with a version, only if it's unchanged since then (null: doesn't exist). */
  readonly write: (
    key: DocumentKey,
    content: string,
    version?: string | null
  ) => Effect.Effect<void, DocumentTooLarge | TextChanged | TextsError>
}

/** The default agent's documents, and access to other agents'. */
export interface DocumentsShape extends AgentDocuments {
  readonly of: (owner: TextsOwner) => Effect.Effect<AgentDocuments, WorkspaceError | UnknownGateway>
}

/** The fixed documents in an agent's workspace that define its identity. */
export class Documents extends Context.Service<Documents, DocumentsShape>()(
  "agent-console/services/knowledge/documents/Documents"
) {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const places = yield* WorkspaceTexts
      const makeDocuments = ({ texts }: OwnTexts): AgentDocuments => {
        const list = Effect.map(texts.find(Object.values(DOCUMENTS)), (found) =>
          DocumentKey.literals.flatMap((key): ReadonlyArray<DocumentEntry> => {
            const filename = DOCUMENTS[key]
            return found.flatMap(({ exists, name }) => (name === filename ? [{ key, filename, exists }] : []))
          })
        )

        const read = Effect.fn("Documents.read")(function* (key: DocumentKey) {
          const text = yield* texts.read(DOCUMENTS[key])
          return text === undefined ? yield* new DocumentMissing({ key }) : text
        })

        const write = Effect.fn("Documents.write")(function* (
          key: DocumentKey,
          content: string,
          version?: string | null
        ) {
          const bytes = new TextEncoder().encode(content).length
          if (bytes > MAX_DOCUMENT_BYTES) return yield* new DocumentTooLarge({ bytes })
          yield* texts.edit(DOCUMENTS[key], (text) =>
            isVersion(version, text) ? Effect.succeed({ text: content, value: undefined }) : new TextChanged()
          )
        })

        return { list, read, write }
      }

      return Documents.of({
        ...makeDocuments(places.standard),
        of: (owner) => Effect.map(places.of(owner), makeDocuments)
      })
    })
  )
}
