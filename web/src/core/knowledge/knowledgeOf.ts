import { lastingStorage } from "../browserEnvironment.ts"
import type { KeyValueStorage } from "../Environment.ts"
import type { ApiClient, EventStream, Readable } from "../types.ts"
import { AgentLogStore } from "./AgentLogStore.ts"
import { DocumentsStore } from "./DocumentsStore.ts"
import { FileTreeStore } from "./FileTreeStore.ts"
import { MemoryStore } from "./MemoryStore.ts"
import { OpenFiles } from "./OpenFiles.ts"
import { TextDrafts } from "./TextDrafts.ts"

/** Everything behind the knowledge screens. */
export interface Knowledge {
  readonly memory: MemoryStore
  readonly documents: DocumentsStore
  readonly tree: FileTreeStore
  readonly files: OpenFiles
  readonly log: AgentLogStore
  /** Keys of everything that is typed and not stored. */
  readonly unsaved: Readable<ReadonlyArray<string>>
}

type Connections = { readonly api: ApiClient; readonly events: EventStream }

export const createKnowledge = ({ api, events }: Connections, storage: KeyValueStorage): Knowledge => {
  const drafts = new TextDrafts(storage)
  const files = new OpenFiles(api, events, drafts, storage)
  const tree = new FileTreeStore(api, events)
  tree.onMove((move) => files.follow(move))
  return {
    memory: new MemoryStore(api, events, drafts),
    documents: new DocumentsStore(api, events, drafts),
    tree,
    files,
    log: new AgentLogStore(api, events),
    unsaved: drafts.state
  }
}

const made = new WeakMap<Connections, Knowledge>()

/** The knowledge of a console, made on first use and kept as long as the page. */
export const knowledgeOf = (console: Connections): Knowledge => {
  const known = made.get(console)
  if (known !== undefined) return known
  const knowledge = createKnowledge(console, lastingStorage())
  made.set(console, knowledge)
  return knowledge
}
