import { Deferred, Effect } from "effect"
import { mayUse } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { JsonObject } from "../wire/frames.ts"

const DECISIONS = ["allow-once", "allow-always", "deny"] as const

/** What a person may answer. */
export type ApprovalDecision = (typeof DECISIONS)[number]

/** Whether a text is one of the answers. */
export const isDecision = (text: string): text is ApprovalDecision => DECISIONS.some((decision) => decision === text)

/** How long a request waits for its answer. */
export const APPROVAL_TIMEOUT_MS = 30 * 60_000

interface Pending {
  readonly view: JsonObject & { readonly id: string; readonly request: JsonObject }
  readonly answer: Deferred.Deferred<ApprovalDecision>
}

/** Commands that wait until a person allows or denies them; told to everybody who may approve. */
export class ExecApprovals {
  private readonly pending = new Map<string, Pending>()
  private readonly hub: ConnectionHub
  private readonly now: () => number
  private readonly newId: () => string

  constructor(options: { readonly hub: ConnectionHub; readonly now: () => number; readonly newId: () => string }) {
    this.hub = options.hub
    this.now = options.now
    this.newId = options.newId
  }

  /** The open requests as `exec.approval.list` answers them. */
  list(): ReadonlyArray<JsonObject> {
    return [...this.pending.values()].map(({ view }) => view)
  }

  /** Asks, and waits for the answer; nobody's answer within half an hour is a `deny`. */
  ask(request: {
    readonly command: string
    readonly cwd: string
    readonly sessionKey: string
    readonly agentId: string
  }) {
    return Effect.suspend(() => {
      const id = this.newId()
      const createdAtMs = this.now()
      const asked = { ...request, host: "gateway", security: "allowlist", ask: "always", resolvedPath: null }
      const view = { id, request: asked, createdAtMs, expiresAtMs: createdAtMs + APPROVAL_TIMEOUT_MS }
      const answer = Deferred.makeUnsafe<ApprovalDecision>()
      this.pending.set(id, { view, answer })
      this.tell("exec.approval.requested", view)
      return Deferred.await(answer).pipe(
        Effect.timeoutOrElse({
          duration: APPROVAL_TIMEOUT_MS,
          orElse: () => Effect.succeed<ApprovalDecision>("deny")
        }),
        Effect.ensuring(Effect.sync(() => this.resolve(id, "deny")))
      )
    })
  }

  /** Answers an open request; false when there is none of that id. */
  resolve(id: string, decision: ApprovalDecision): boolean {
    const found = this.pending.get(id)
    if (found === undefined) return false
    this.pending.delete(id)
    Deferred.doneUnsafe(found.answer, Effect.succeed(decision))
    const { request } = found.view
    this.tell("exec.approval.resolved", { id, decision, resolvedBy: "gateway-client", ts: this.now(), request })
    return true
  }

  private tell(event: string, payload: JsonObject): void {
    this.hub.emit({ event, payload }, (connection) => mayUse(connection, "operator.approvals"))
  }
}
