import type { Readable } from "../common/Observable.ts"
import type { EventStream } from "../link/apiTypes.ts"
import { lastingStorage } from "../link/browserEnvironment.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import { type AgentLogStore, createAgentLogStore } from "./AgentLogStore.ts"
import { agentConnections, agentStorage, type Connections } from "./agentConnections.ts"
import { createDocumentsStore, type DocumentsStore } from "./DocumentsStore.ts"
import { createFileTreeStore, type FileTreeStore } from "./FileTreeStore.ts"
import { fileSource } from "./fileSource.ts"
import { createKnowledgeAgents, type KnowledgeAgents } from "./KnowledgeAgents.ts"
import { createMemoryStore, type MemoryStore } from "./MemoryStore.ts"
import { createOpenFiles, type OpenFiles } from "./OpenFiles.ts"
import { createTextDrafts, type TextDrafts } from "./TextDrafts.ts"
import type { TextSource } from "./TextSource.ts"

/** One agent's knowledge, behind the knowledge screens. */
export interface Knowledge {
  /** Null for the default agent. */
  readonly agent: string | null
  readonly memory: MemoryStore
  readonly documents: DocumentsStore
  readonly tree: FileTreeStore
  readonly files: OpenFiles
  /** A text file as it is now, only to be read. */
  readonly readText: (path: string) => ReturnType<TextSource["read"]>
  /** Reports changes to this agent's files, not others'. */
  readonly events: EventStream
  /** Keys of all unsaved texts. */
  readonly unsaved: Readable<ReadonlyArray<string>>
}

/** The knowledge of all agents. */
export interface AllKnowledge {
  readonly agents: KnowledgeAgents
  /** All agents share one log. */
  readonly log: AgentLogStore
  /** Created on first use; each agent's texts, tabs and drafts are kept apart. */
  readonly of: (agent: string | null) => Knowledge
  /** The number of an agent's unsaved texts. */
  readonly unsavedOf: (agent: string | null) => number
}

const createKnowledge = (
  all: Connections,
  storage: KeyValueStorage,
  drafts: TextDrafts,
  agent: string | null
): Knowledge => {
  const { api, events } = agentConnections(all, agent)
  const files = createOpenFiles(api, events, drafts, storage)
  const tree = createFileTreeStore(api, events)
  tree.onMove((move) => files.follow(move))
  return {
    agent,
    memory: createMemoryStore(api, events, drafts),
    documents: createDocumentsStore(api, events, drafts),
    tree,
    files,
    readText: (path) => fileSource(api, path).read(),
    events,
    unsaved: drafts.state
  }
}

export const createAllKnowledge = (connections: Connections, storage: KeyValueStorage): AllKnowledge => {
  const known = new Map<string | null, Knowledge>()
  const drafts = new Map<string | null, TextDrafts>()
  const draftsOf = (agent: string | null): TextDrafts => {
    const own = drafts.get(agent) ?? createTextDrafts(agentStorage(storage, agent))
    drafts.set(agent, own)
    return own
  }
  return {
    agents: createKnowledgeAgents(connections, storage),
    log: createAgentLogStore(connections.api, connections.events),
    of: (agent) => {
      const knowledge =
        known.get(agent) ?? createKnowledge(connections, agentStorage(storage, agent), draftsOf(agent), agent)
      known.set(agent, knowledge)
      return knowledge
    },
    unsavedOf: (agent) => draftsOf(agent).state.get().length
  }
}

const made = new WeakMap<Connections, AllKnowledge>()

/** The knowledge of a console's agents, created on first use and kept for the life of the page. */
export const knowledgeOf = (client: Connections): AllKnowledge => {
  const known = made.get(client)
  if (known !== undefined) return known
  const all = createAllKnowledge(client, lastingStorage())
  made.set(client, all)
  return all
}
