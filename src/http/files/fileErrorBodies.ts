import { FileConflict, FileMissing, FileRefused, FileTooLarge } from "../../services/files/fileErrors.ts"
import { errorBody } from "../errorBody.ts"
import { StorageFailureError } from "../storageErrors.ts"

/** What every route that takes a path may answer instead of the file. */
export const FILE_ERRORS = [
  errorBody(FileRefused, { code: "validation_error", status: 400, details: (error) => error.message }),
  errorBody(FileMissing, { code: "not_found", status: 404 }),
  errorBody(FileConflict, { code: "conflict", status: 409, details: (error) => error.message }),
  errorBody(FileTooLarge, { code: "file_too_large", status: 413, details: (error) => error.message }),
  StorageFailureError
] as const
