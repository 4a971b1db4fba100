import { StorageFailure } from "../services/files/StorageFailure.ts"
import { errorBody } from "./errorBody.ts"

/** 500 for a file that cannot be read or written, with what to check. */
export const StorageFailureError = errorBody(StorageFailure, {
  code: "storage_failure",
  status: 500,
  details: (failure) => failure.message
})
