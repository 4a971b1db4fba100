import { failure } from "../../../contract/failures.ts"
import { AgentUnknown, WorkspaceForbidden, WorkspaceMissing } from "../../../services/knowledge/agents/Workspace.ts"
import {
  FileConflict,
  FileMissing,
  FileRefused,
  FileTooLarge,
  RootMissing
} from "../../../services/platform/storage/fileErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { GatewayFailure, StorageFailureError, UnknownGatewayError } from "../../serviceErrors.ts"

/** Errors of every route that takes an `agent`. */
export const AGENT_ERRORS = [
  errorBody(AgentUnknown, {
    code: "unknown_agent",
    status: 404,
    details: ({ id }) => failure("AGENT_NOT_FOUND", { id })
  }),
  errorBody(WorkspaceMissing, { code: "workspace_missing", status: 404, details: (error) => error }),
  errorBody(WorkspaceForbidden, { code: "forbidden", status: 403, details: (error) => error }),
  GatewayFailure
] as const

/** Those of the routes that take a `gateway` as well. */
export const OWNER_ERRORS = [...AGENT_ERRORS, UnknownGatewayError] as const

/** Errors of every route that takes a path. */
export const FILE_ERRORS = [
  errorBody(FileRefused, { code: "validation_error", status: 400, details: (error) => error }),
  errorBody(FileMissing, { code: "not_found", status: 404, details: (error) => error.advice }),
  errorBody(RootMissing, { code: "not_found", status: 404, details: (error) => error }),
  errorBody(FileConflict, { code: "conflict", status: 409, details: (error) => error }),
  errorBody(FileTooLarge, { code: "file_too_large", status: 413, details: (error) => error }),
  StorageFailureError
] as const
