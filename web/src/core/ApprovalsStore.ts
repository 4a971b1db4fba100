import { fieldsOf, filledText, listOf, numberOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { failureSentence } from "./GatewayCallError.ts"
import { Observable } from "./Observable.ts"
import type { ActionResult, GatewayEventFrame, GatewayLink, Readable } from "./types.ts"

export type Decision = "allow-once" | "allow-always" | "deny"

/** Something an agent may do only when a person allows it. */
export interface Approval {
  readonly id: string
  readonly kind: "exec" | "plugin"
  readonly sessionKey: string | null
  /** The command, or what a plugin wants, in its own words. */
  readonly title: string
  readonly detail: string | null
  /** Where it would run. */
  readonly place: string | null
  readonly decisions: ReadonlyArray<Decision>
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

export interface ApprovalsStore {
  /** What waits for an answer, the oldest first. */
  readonly open: Readable<ReadonlyArray<Approval>>
  /** Sessions that wait for a person, be it for an approval or for the answer to a question. */
  readonly waitingKeys: Readable<ReadonlySet<string>>
  resolve(approval: Approval, decision: Decision): Promise<ActionResult>
  dispose(): void
}

const ALL: ReadonlyArray<Decision> = ["allow-once", "allow-always", "deny"]
const REQUESTED = /^(exec\.approval|plugin\.approval|question)\.requested$/
const RESOLVED = /^(exec\.approval|plugin\.approval|question)\.resolved$/

/** An approval request as the gateway announces and lists it; null for what cannot be answered. */
export function decodeApproval(kind: Approval["kind"], payload: unknown): Approval | null {
  const fields = fieldsOf(payload)
  const request = fieldsOf(fields.request)
  const id = filledText(fields.id)
  const title = filledText(kind === "exec" ? request.command : request.title)
  if (id === null || title === null) return null
  const offered = listOf(request.allowedDecisions)
  const decisions = ALL.filter((decision) => offered.includes(decision))
  const place = [filledText(request.cwd), filledText(request.host)].filter((part) => part !== null)
  return {
    id,
    kind,
    sessionKey: filledText(request.sessionKey),
    title,
    detail: filledText(kind === "exec" ? request.commandPreview : request.description),
    place: place.length === 0 ? null : place.join(" · "),
    decisions: decisions.length === 0 ? ALL : decisions,
    createdAt: numberOf(fields.createdAtMs) ?? 0,
    expiresAt: numberOf(fields.expiresAtMs) ?? Number.POSITIVE_INFINITY
  }
}

/** What agents wait for a person to allow, on whichever session (gateway protocol, "Pushed events"). */
export function createApprovalsStore(link: GatewayLink, env: Environment): ApprovalsStore {
  const open = new Observable<ReadonlyArray<Approval>>([])
  const waitingKeys = new Observable<ReadonlySet<string>>(new Set())
  const questions = new Map<string, string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function publish(next: ReadonlyArray<Approval>): void {
    clearTimeout(timer)
    const alive = next.filter(({ expiresAt }) => expiresAt > env.now()).toSorted((a, b) => a.createdAt - b.createdAt)
    const first = Math.min(...alive.map(({ expiresAt }) => expiresAt))
    // Longer waits do not fit into a timer, and nothing waits that long.
    if (Number.isFinite(first)) timer = setTimeout(() => publish(open.get()), Math.min(first - env.now(), 2 ** 31 - 1))
    open.set(alive)
    const keys = alive.flatMap(({ sessionKey }) => sessionKey ?? [])
    waitingKeys.set(new Set([...keys, ...questions.values()]))
  }

  const without = (id: string) => open.get().filter((approval) => approval.id !== id)

  function onEvent({ event, payload }: GatewayEventFrame): void {
    const fields = fieldsOf(payload)
    const id = filledText(fields.id) ?? filledText(fields.requestId)
    if (id === null) return
    if (RESOLVED.test(event)) {
      questions.delete(id)
      publish(without(id))
    } else if (REQUESTED.test(event)) {
      const key = filledText(fields.sessionKey) ?? filledText(fieldsOf(fields.request).sessionKey)
      const approval = event.startsWith("question") ? null : decodeApproval(kindOf(event), fields)
      if (approval === null && key !== null) questions.set(id, key)
      publish(approval === null ? open.get() : [...without(id), approval])
    }
  }

  /** Only newer gateways list what waits; with older ones a page knows what it heard of itself. */
  async function read(): Promise<void> {
    const greeting = link.hello.get()
    for (const kind of ["exec", "plugin"] as const) {
      const answer = await link.request(`${kind}.approval.list`, {}).catch(() => null)
      if (link.hello.get() !== greeting) return
      if (answer === null) continue
      const listed = listOf(answer).flatMap((row) => decodeApproval(kind, row) ?? [])
      publish([...open.get().filter((known) => known.kind !== kind), ...listed])
    }
  }

  const stops = [
    link.onEvent(onEvent),
    link.hello.subscribe((greeting) => {
      if (greeting === null) return
      questions.clear()
      publish([])
      if (greeting.protocol >= 4) void read()
    })
  ]

  return {
    open,
    waitingKeys,
    resolve: async (approval, decision) => {
      try {
        await link.request(`${approval.kind}.approval.resolve`, { id: approval.id, decision })
      } catch (reason) {
        return { ok: false, message: failureSentence(reason) }
      }
      publish(without(approval.id))
      return { ok: true, value: true }
    },
    dispose: () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }
}

const kindOf = (event: string): Approval["kind"] => (event.startsWith("plugin") ? "plugin" : "exec")
