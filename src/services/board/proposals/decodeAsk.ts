import { Result, Schema, SchemaIssue } from "effect"
import type { Ask } from "../../../contract/schema/proposal.ts"
import { CreateAsk, UpdatePayload } from "../../../contract/schema/taskInputs.ts"
import { InvalidProposal } from "../boardErrors.ts"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()
const decodeCreate = Schema.decodeUnknownResult(CreateAsk)
const decodeUpdate = Schema.decodeUnknownResult(UpdatePayload)

const invalid = (error: Schema.SchemaError): InvalidProposal => {
  const first = formatIssue(error.issue).issues[0]
  const path = ["payload", ...(first?.path ?? [])].map(String).join(".")
  return new InvalidProposal({ details: `${path}: ${first?.message ?? "isn't valid"}` })
}

/** Decodes a proposal's payload by its type, for both the route and markers. */
export const decodeAsk = (type: "create" | "update", payload: unknown): Result.Result<Ask, InvalidProposal> =>
  (type === "create"
    ? Result.map(decodeCreate(payload), (decoded): Ask => ({ type, payload: decoded }))
    : Result.map(decodeUpdate(payload), (decoded): Ask => ({ type, payload: decoded }))
  ).pipe(Result.mapError(invalid))
