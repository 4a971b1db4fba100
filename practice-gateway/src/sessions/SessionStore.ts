import type { Message } from "./messages.ts"
import { DEMO_MODELS, type DemoModel, findModel } from "./models.ts"

export const MAIN_KEY = "agent:main:main"

export type SessionStatus = "running" | "done" | "failed" | "killed" | "timeout"

/** A session in the gateway's memory. */
export interface Session {
  readonly key: string
  sessionId: string
  readonly createdAt: number
  updatedAt: number
  label: string | undefined
  spawnedBy: string | undefined
  /** The parent key of a session a person created. */
  parentSessionKey: string | undefined
  override: { readonly provider: string; readonly id: string } | undefined
  thinkingLevel: string | undefined
  /** Patched fields that are only stored. */
  extras: Record<string, unknown>
  status: SessionStatus | undefined
  startedAt: number | undefined
  endedAt: number | undefined
  lastRunId: string | undefined
  lastRunError: string | undefined
  /** Not known before the first run. */
  abortedLastRun: boolean | undefined
  systemSent: boolean
  inputTokens: number
  outputTokens: number
  totalTokens: number
  estimatedCostUsd: number
  unread: boolean
  archived: boolean
  pinned: boolean
  /** The group a person put it in. */
  category: string | undefined
  /** When something was last said in it; 0 if nothing was. */
  activeAt: number
  /** Ids of the runs in progress. */
  readonly activeRuns: Set<string>
  messages: Array<Message>
  nextSeq: number
  /** Versions of the conversation that were left when an earlier question was asked again. */
  branches: ReadonlyArray<ReadonlyArray<Message>>
  /** The messages under each id that the session had before. */
  readonly past: Map<string, ReadonlyArray<Message>>
  previousSessionId: string | undefined
}

/** Long form of a session key: `main` and bare names belong to the main agent. */
export const canonicalKey = (key: string): string => {
  const trimmed = key.trim()
  if (trimmed === "main" || trimmed === "") return MAIN_KEY
  return trimmed.startsWith("agent:") ? trimmed : `agent:main:${trimmed}`
}

/** The agent a session key belongs to. */
export const agentIdOf = (key: string): string => key.split(":")[1] ?? "main"

/** What kind of session a key stands for. */
export const classify = (key: string): "main" | "subagent" | "cron" | "dashboard" | "custom" => {
  const rest = key.split(":")[2]
  if (key === MAIN_KEY || rest === "main") return "main"
  return rest === "subagent" || rest === "cron" || rest === "dashboard" ? rest : "custom"
}

/** The gateway's sessions, kept as long as the process runs. */
export class SessionStore {
  readonly sessions = new Map<string, Session>()
  private readonly newId: () => string
  private readonly now: () => number

  constructor(options: { readonly now: () => number; readonly newId: () => string }) {
    this.now = options.now
    this.newId = options.newId
  }

  find(key: string): Session | undefined {
    return this.sessions.get(canonicalKey(key))
  }

  /** The session with that key, created on first use. */
  open(key: string): Session {
    const canonical = canonicalKey(key)
    const known = this.sessions.get(canonical)
    if (known !== undefined) return known
    const now = this.now()
    const session: Session = {
      key: canonical,
      sessionId: this.newId(),
      createdAt: now,
      updatedAt: now,
      label: undefined,
      spawnedBy: undefined,
      parentSessionKey: undefined,
      override: undefined,
      thinkingLevel: undefined,
      extras: {},
      status: undefined,
      startedAt: undefined,
      endedAt: undefined,
      lastRunId: undefined,
      lastRunError: undefined,
      abortedLastRun: undefined,
      systemSent: false,
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      estimatedCostUsd: 0,
      unread: false,
      archived: false,
      pinned: false,
      category: undefined,
      activeAt: 0,
      activeRuns: new Set(),
      messages: [],
      nextSeq: 1,
      branches: [],
      past: new Map(),
      previousSessionId: undefined
    }
    this.sessions.set(canonical, session)
    return session
  }

  /** The id and number of a session's next message. */
  stamp(session: Session): { readonly id: string; readonly seq: number } {
    const seq = session.nextSeq
    session.nextSeq += 1
    return { id: this.newId().slice(0, 8), seq }
  }

  /** Appends a message to a session's transcript. */
  append(session: Session, message: Message): void {
    session.messages.push(message)
    session.updatedAt = Math.max(session.updatedAt, message.timestamp)
    session.activeAt = Math.max(session.activeAt, message.timestamp)
  }

  /** Clears the transcript and the last run's figures. */
  reset(session: Session, keepId: boolean): void {
    if (!keepId) session.sessionId = this.newId()
    session.messages = []
    session.nextSeq = 1
    session.branches = []
    session.past.clear()
    session.previousSessionId = undefined
    session.status = undefined
    session.startedAt = undefined
    session.endedAt = undefined
    session.lastRunId = undefined
    session.lastRunError = undefined
    session.abortedLastRun = undefined
    session.systemSent = false
    session.inputTokens = 0
    session.outputTokens = 0
    session.totalTokens = 0
    session.estimatedCostUsd = 0
    session.updatedAt = this.now()
  }

  /** Newest first. */
  newest(): ReadonlyArray<Session> {
    return [...this.sessions.values()].toSorted((a, b) => b.updatedAt - a.updatedAt)
  }
}

/** The model a session's next turn runs on: its own when that is known, else the default. */
export const modelOf = (session: Session): DemoModel =>
  session.override === undefined
    ? DEMO_MODELS[0]
    : (findModel(session.override.provider, session.override.id) ?? DEMO_MODELS[0])

/** A session's current thinking level. */
export const thinkingOf = (session: Session): string => {
  const model = modelOf(session)
  const level = session.thinkingLevel
  return level !== undefined && model.thinkingLevels.includes(level) ? level : model.thinkingDefault
}
