import { Deferred, Effect } from "effect"
import type { Generation } from "../Generation.ts"
import { decidesOnCommands } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { JsonObject } from "../wire/frames.ts"

const DECISIONS = ["allow-once", "allow-always", "deny"] as const

/** The possible answers. */
export type ApprovalDecision = (typeof DECISIONS)[number]

/** Whether a text is one of the answers. */
export const isDecision = (text: string): text is ApprovalDecision => DECISIONS.some((decision) => decision === text)

/** Ends that are remembered. */
const MAX_ENDED = 50

interface Pending {
  readonly view: JsonObject & { readonly id: string; readonly request: JsonObject }
  readonly answer: Deferred.Deferred<ApprovalDecision>
}

/** What a command on the gateway's own host, asked for in a conversation, is not tied to. */
const NO_BINDING = {
  systemRunBinding: null,
  systemRunPlan: null,
  nodeId: null,
  resolvedPath: "/usr/bin/env",
  turnSourceChannel: "webchat",
  turnSourceAccountId: null,
  turnSourceThreadId: null
}

const UNBOUND = {
  warningText: null,
  scope: null,
  commandAnalysis: { commandCount: 1, nestedCommandCount: 0, riskKinds: [], warningLines: [] },
  sessionId: null,
  cronExecutionSource: null,
  cronOperationBinding: null
}

interface ExecApprovalsOptions {
  readonly generation: Generation
  readonly hub: ConnectionHub
  readonly now: () => number
  readonly newId: () => string
}

/** Commands waiting for approval; announced to everyone who may approve. */
export class ExecApprovals {
  private readonly pending = new Map<string, Pending>()
  private readonly ended = new Map<string, ApprovalDecision>()
  private readonly options: ExecApprovalsOptions

  constructor(options: ExecApprovalsOptions) {
    this.options = options
  }

  /** The open requests, as returned by `exec.approval.list`. */
  list(): ReadonlyArray<JsonObject> {
    return [...this.pending.values()].map(({ view }) => view)
  }

  /**
   * Asks, and waits for the answer; no answer in time is a `deny`. `nobody` when no connection can show the
   * request, which is not even made then.
   */
  ask(
    request: {
      readonly command: string
      readonly cwd: string
      readonly sessionKey: string
      readonly agentId: string
    },
    asker: { readonly runId: string; readonly toolCallId: string }
  ) {
    return Effect.suspend((): Effect.Effect<ApprovalDecision | "nobody"> => {
      const { generation, hub, newId, now } = this.options
      if (generation.approvalsNeedCap && ![...hub.connections].some((one) => decidesOnCommands(one, true)))
        return Effect.succeed("nobody")
      const id = newId()
      const createdAtMs = now()
      const duration = generation.approvalTimeoutMs
      const asked = {
        ...request,
        host: "gateway",
        security: "allowlist",
        ask: "always",
        ...NO_BINDING,
        ...UNBOUND,
        turnSourceTo: request.sessionKey,
        runId: asker.runId,
        toolCallId: asker.toolCallId
      }
      const view = { approvalKind: "exec", id, request: asked, createdAtMs, expiresAtMs: createdAtMs + duration }
      const answer = Deferred.makeUnsafe<ApprovalDecision>()
      this.pending.set(id, { view, answer })
      this.broadcast("exec.approval.requested", view)
      const orElse = () =>
        Effect.sync((): ApprovalDecision => {
          if (!generation.followsApprovals) this.pending.delete(id)
          return "deny"
        })
      return Deferred.await(answer).pipe(
        Effect.timeoutOrElse({ duration, orElse }),
        // A stopped run reports that first.
        Effect.ensuring(Effect.andThen(Effect.yieldNow, () => Effect.sync(() => this.resolve(id, "deny"))))
      )
    })
  }

  /**
   * Answers an open request. The last ends are remembered: the same answer again is taken and changes
   * nothing, another one comes too late.
   */
  resolve(id: string, decision: ApprovalDecision): "resolved" | "unknown" | "too late" {
    const found = this.pending.get(id)
    if (found === undefined) {
      const before = this.ended.get(id)
      if (before === undefined) return "unknown"
      return before === decision ? "resolved" : "too late"
    }
    this.pending.delete(id)
    if (this.options.generation.followsApprovals) this.remember(id, decision)
    Deferred.doneUnsafe(found.answer, Effect.succeed(decision))
    const { request } = found.view
    this.broadcast("exec.approval.resolved", {
      id,
      decision,
      resolvedBy: "gateway-client",
      ts: this.options.now(),
      request
    })
    return "resolved"
  }

  private remember(id: string, decision: ApprovalDecision): void {
    this.ended.set(id, decision)
    const [oldest] = this.ended.keys()
    if (this.ended.size > MAX_ENDED && oldest !== undefined) this.ended.delete(oldest)
  }

  private broadcast(event: string, payload: JsonObject): void {
    const { generation, hub } = this.options
    hub.emit({ event, payload }, (connection) => decidesOnCommands(connection, generation.approvalsNeedCap))
  }
}
