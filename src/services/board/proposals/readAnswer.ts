import { Result, Schema, SchemaIssue } from "effect"
import { ofField } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { parseJsonObject } from "../../../contract/markers/markerJson.ts"
import { parseMarkers } from "../../../contract/markers/parseMarkers.ts"
import { removeSpans, type Span } from "../../../contract/markers/removeSpans.ts"
import { taskMarkerOf } from "../../../contract/markers/taskMarker.ts"
import type { Ask } from "../../../contract/schema/proposal.ts"
import { CreateAsk, UpdatePayload } from "../../../contract/schema/taskInputs.ts"
import { issueWhy } from "../../platform/issueWhy.ts"
import { InvalidProposal } from "../boardErrors.ts"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()
const decodeCreate = Schema.decodeUnknownResult(CreateAsk)
const decodeUpdate = Schema.decodeUnknownResult(UpdatePayload)

const invalid = ({ issue }: Schema.SchemaError): InvalidProposal => {
  const first = formatIssue(issue).issues[0]
  const path = ["payload", ...(first?.path ?? [])].map(String).join(".")
  if (first === undefined) return new InvalidProposal(ofField(path, failure("INVALID")))
  return new InvalidProposal(ofField(path, { message: first.message, ...issueWhy(issue, first.message) }))
}

/** Decodes a proposal's payload by its type, for both the route and markers. */
export const decodeAsk = (type: "create" | "update", payload: unknown): Result.Result<Ask, InvalidProposal> =>
  (type === "create"
    ? Result.map(decodeCreate(payload), (decoded): Ask => ({ type, payload: decoded }))
    : Result.map(decodeUpdate(payload), (decoded): Ask => ({ type, payload: decoded }))
  ).pipe(Result.mapError(invalid))

const MARKER = /^\[kanban:(create|update)\]([\s\S]*)\[\/kanban:\1\]$/
const MAX_BYTES = 2_048
/** How many markers of one answer are used. */
const MAX_USED = 5
/** How many faults of one answer are logged. */
const MAX_TOLD = 5
const MAX_NAMES = 5

const encoder = new TextEncoder()

const named = (fields: object): string => {
  const names = Object.keys(fields).slice(0, MAX_NAMES)
  return names.length === 0 ? "" : ` (it has ${names.map((name) => name.slice(0, 40)).join(", ")})`
}

/** Why a marker with this content can't be used; `undefined` if it can. */
const faultOf = (kind: "create" | "update", inside: string): string | undefined => {
  if (encoder.encode(inside).length > MAX_BYTES) return "it's longer than 2 KB"
  const fields = parseJsonObject(inside)
  if (fields === undefined) return "its content isn't a JSON object"
  const marker = taskMarkerOf(kind, inside)
  if (marker !== undefined) {
    const ask = decodeAsk(kind, marker.payload)
    return Result.isFailure(ask) ? ask.failure.message.replace(/^payload\./, "") : undefined
  }
  if (kind === "update") return `it needs a task id${named(fields)}`
  return fields.title === undefined ? `it needs a title${named(fields)}` : "its title must have 1 to 500 characters"
}

/**
 * Why task markers of an answer were ignored, briefly; `spans` are the markers' positions in it.
 */
const markerFaults = (answer: string, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let used = 0
  for (const { start, end } of spans) {
    const found = MARKER.exec(answer.slice(start, end))
    if (found === null) continue
    const kind = found[1] === "update" ? "update" : "create"
    const fault = faultOf(kind, (found[2] ?? "").trim())
    if (fault === undefined) used += 1
    if (fault !== undefined) faults.push(`a [kanban:${kind}] marker was ignored: ${fault}`)
    else if (used > MAX_USED)
      faults.push(`a [kanban:${kind}] marker was ignored: only ${MAX_USED} per answer are allowed`)
  }
  const more = faults.length - MAX_TOLD
  return more > 0 ? [...faults.slice(0, MAX_TOLD), `${more} more markers were ignored`] : faults
}

const MAX_RESULT = 50_000

/** The parts of an agent's answer. */
export interface Answer {
  /** The task's result: without task or speech markers, at most 50,000 characters. */
  readonly text: string
  /** What the agent asked for; invalid markers are skipped. */
  readonly asks: ReadonlyArray<Ask>
  /** What's wrong with the skipped markers. */
  readonly faults: ReadonlyArray<string>
}

/** Reads an agent's answer. */
export const readAnswer = (answer: string): Answer => {
  const { tasks, hidden } = parseMarkers(answer)
  return {
    text: removeSpans(answer, hidden).trim().slice(0, MAX_RESULT),
    asks: tasks.flatMap(({ kind, payload }) => {
      const ask = decodeAsk(kind, payload)
      return Result.isSuccess(ask) ? [ask.success] : []
    }),
    faults: markerFaults(answer, hidden)
  }
}
