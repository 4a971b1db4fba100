import { type Fields, fieldsOf, filledText, parseJson } from "../../../../src/contract/looseFields.ts"
import type { Environment } from "../link/Environment.ts"
import type { NewSession } from "./sessionTypes.ts"

const STORAGE_KEY = "agent-console:new-session"

/** What a session is to have from its first message on; null stands for the gateway's default. */
export type Plan = Readonly<Partial<Record<"label" | "model" | "thinkingLevel", string | null>>>

/** A session that nobody has written in yet: only this browser knows of it. */
export interface FreshSession {
  readonly key: string
  readonly plan: Plan
}

/** The planned values as the gateway's row would have them. */
export const plannedFields = ({ label, model, thinkingLevel }: Plan): Fields => {
  const [provider, ...id] = (model ?? "").split("/")
  return { label, thinkingLevel, ...(id.length === 0 ? {} : { modelProvider: provider, model: id.join("/") }) }
}

/** The empty session to go on with: the one that was left, or another one if that belongs to another agent. */
export const nextFresh = (
  left: FreshSession | null,
  { agentId = "main", gatewayId }: NewSession,
  uuid: () => string
): FreshSession => {
  const start = `${gatewayId === undefined ? "" : `@${gatewayId}:`}agent:${agentId}:dashboard:`
  return left?.key.startsWith(start) === true ? left : { key: `${start}${uuid()}`, plan: {} }
}

export interface FreshSessions {
  get(): FreshSession | null
  /** The empty session to open; one that was left is taken up again, so that its draft isn't lost. */
  begin(options: NewSession): FreshSession
  /** Plans something for the session; false if it isn't the fresh one. */
  plan(key: string, change: Plan): boolean
  /** What was chosen for the session, which is planned no longer; null if nothing was. */
  takePlan(key: string): Plan | null
  /** The session exists. */
  end(): void
}

/** The new session that exists in this browser alone until something is written in it. */
export function createFreshSession({ storage, uuid }: Pick<Environment, "storage" | "uuid">): FreshSessions {
  let fresh = read()

  function read(): FreshSession | null {
    const saved = fieldsOf(parseJson(storage.getItem(STORAGE_KEY) ?? ""))
    const key = filledText(saved.key)
    const { label, model, thinkingLevel } = fieldsOf(saved.plan)
    const plan = { label: filledText(label), model: filledText(model), thinkingLevel: filledText(thinkingLevel) }
    return key === null ? null : { key, plan }
  }

  function set(next: FreshSession | null): void {
    fresh = next
    try {
      if (next === null) storage.removeItem(STORAGE_KEY)
      else storage.setItem(STORAGE_KEY, JSON.stringify(next))
    } catch {
      // A full storage only means that the next new session is another one.
    }
  }

  return {
    get: () => fresh,
    begin: (options) => {
      const next = nextFresh(fresh, options, uuid)
      set(next)
      return next
    },
    plan: (key, change) => {
      if (fresh?.key !== key) return false
      set({ key, plan: { ...fresh.plan, ...change } })
      return true
    },
    takePlan: (key) => {
      if (fresh?.key !== key) return null
      const chosen = Object.entries(fresh.plan).filter(([, value]) => value != null)
      set({ key, plan: {} })
      return chosen.length === 0 ? null : Object.fromEntries(chosen)
    },
    end: () => set(null)
  }
}
