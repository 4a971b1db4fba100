import { Result, Schema, SchemaIssue } from "effect"
import { ofField } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
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
