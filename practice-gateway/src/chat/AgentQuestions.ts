import { Deferred, Effect, Result } from "effect"
import { mayUse } from "../server/Connection.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import type { JsonObject } from "../wire/frames.ts"
import { answersInText, checkedAnswers, type QuestionAnswers, type QuestionPart } from "./questionRules.ts"

interface QuestionRecord extends JsonObject {
  readonly id: string
  readonly questions: ReadonlyArray<QuestionPart>
  readonly sessionKey: string
  readonly createdAtMs: number
  readonly status: "pending" | "answered" | "cancelled" | "expired"
}

interface Asked {
  record: QuestionRecord
  readonly answer: Deferred.Deferred<QuestionAnswers | null>
}

/** Why a question wasn't answered; `reason` is the gateway's own code. */
export interface QuestionRefusal {
  readonly reason: "QUESTION_NOT_FOUND" | "QUESTION_ALREADY_TERMINAL" | "QUESTION_INVALID_ANSWER"
  readonly message: string
}

/** The response of `question.resolve`. */
export type QuestionOutcome =
  | { readonly status: "answered"; readonly answers: { readonly answers: QuestionAnswers } }
  | { readonly status: "cancelled" }
  | { readonly status: "expired" }

/** Finished questions that can still be requested. */
const MAX_CLOSED = 50

/** Agents' questions waiting for a person. */
export class AgentQuestions {
  private readonly asked = new Map<string, Asked>()
  private readonly hub: ConnectionHub
  private readonly now: () => number
  private readonly newId: () => string

  constructor(options: { readonly hub: ConnectionHub; readonly now: () => number; readonly newId: () => string }) {
    this.hub = options.hub
    this.now = options.now
    this.newId = options.newId
  }

  /** The open questions, oldest first. */
  list(): ReadonlyArray<QuestionRecord> {
    return [...this.asked.values()].map(({ record }) => record).filter(({ status }) => status === "pending")
  }

  find(id: string): QuestionRecord | undefined {
    return this.asked.get(id)?.record
  }

  /** Asks and waits for the answers; null if the question was skipped or timed out. */
  ask(request: {
    readonly questions: ReadonlyArray<QuestionPart>
    readonly sessionKey: string
    readonly agentId: string
    readonly runId: string
    readonly timeoutMs: number
  }): Effect.Effect<QuestionAnswers | null> {
    return Effect.suspend(() => {
      const { timeoutMs, ...about } = request
      const createdAtMs = this.now()
      const id = `ask_${this.newId().replaceAll("-", "")}`
      const record = { id, ...about, createdAtMs, expiresAtMs: createdAtMs + timeoutMs, status: "pending" as const }
      const answer = Deferred.makeUnsafe<QuestionAnswers | null>()
      this.asked.set(id, { record, answer })
      this.broadcast("question.requested", record)
      const expire = Effect.sync(() => {
        this.close(id, { status: "expired" })
        return null
      })
      return Deferred.await(answer).pipe(
        Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => expire }),
        // A stopped run reports that first.
        Effect.ensuring(
          Effect.andThen(Effect.yieldNow, () => Effect.sync(() => this.close(id, { status: "cancelled" })))
        )
      )
    })
  }

  /** Answers a question; null skips it. */
  resolve(
    id: string,
    given: QuestionAnswers | null,
    /** When it is told, if not at once. */
    later: (task: () => void) => void = (task) => task()
  ): Result.Result<QuestionOutcome, QuestionRefusal> {
    const record = this.find(id)
    if (record === undefined)
      return Result.fail({ reason: "QUESTION_NOT_FOUND", message: `question '${id}' was not found` })
    if (record.status !== "pending")
      return Result.fail({
        reason: "QUESTION_ALREADY_TERMINAL",
        message: `question '${id}' is already ${record.status}`
      })
    if (given === null) return Result.succeed(this.close(id, { status: "cancelled" }, later))
    const checked = checkedAnswers(record.questions, given)
    if (Result.isFailure(checked)) return Result.fail({ reason: "QUESTION_INVALID_ANSWER", message: checked.failure })
    // A secret goes to the secret store; nobody sees it, not even the agent.
    const answersById = Object.fromEntries(
      record.questions.map(({ questionId, isSecret }) => [
        questionId,
        isSecret === true ? ["stored"] : (checked.success[questionId] ?? [])
      ])
    )
    return Result.succeed(this.close(id, { status: "answered", answers: { answers: answersById } }, later))
  }

  /** Uses a message as the answer to its session's open question; undefined if there is none. */
  claim(sessionKey: string, text: string): Result.Result<QuestionOutcome, QuestionRefusal> | undefined {
    const record = this.list().find((open) => open.sessionKey === sessionKey)
    if (record === undefined || record.questions.some(({ isSecret }) => isSecret === true)) return undefined
    return this.resolve(record.id, answersInText(record.questions, text))
  }

  private close(
    id: string,
    outcome: QuestionOutcome,
    later: (task: () => void) => void = (task) => task()
  ): QuestionOutcome {
    const found = this.asked.get(id)
    if (found === undefined || found.record.status !== "pending") return outcome
    found.record = { ...found.record, ...outcome }
    const answers = outcome.status === "answered" ? outcome.answers.answers : null
    later(() => {
      this.broadcast("question.resolved", { id, ...outcome })
      Deferred.doneUnsafe(found.answer, Effect.succeed(answers))
    })
    const closed = [...this.asked.values()].filter(({ record }) => record.status !== "pending")
    for (const { record } of closed.slice(0, -MAX_CLOSED)) this.asked.delete(record.id)
    return outcome
  }

  private broadcast(event: string, payload: JsonObject): void {
    this.hub.emit({ event, payload }, (connection) => mayUse(connection, "operator.questions"))
  }
}
