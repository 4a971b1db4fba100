import {
  FileConflict,
  FileMissing,
  FileRefused,
  FileTooLarge,
  RootMissing
} from "../../../services/platform/storage/fileErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { StorageFailureError } from "../../storageErrors.ts"

/** Errors of every route that takes a path. */
export const FILE_ERRORS = [
  errorBody(FileRefused, { code: "validation_error", status: 400, details: (error) => error }),
  errorBody(FileMissing, { code: "not_found", status: 404, details: (error) => error.advice }),
  errorBody(RootMissing, { code: "not_found", status: 404, details: (error) => error }),
  errorBody(FileConflict, { code: "conflict", status: 409, details: (error) => error }),
  errorBody(FileTooLarge, { code: "file_too_large", status: 413, details: (error) => error }),
  StorageFailureError
] as const
