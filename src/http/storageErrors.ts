import { StorageFailure } from "../services/platform/storage/StorageFailure.ts"
import { errorBody } from "./errorBody.ts"

/** 500 for a file that can't be read or written, with what to check. */
export const StorageFailureError = errorBody(StorageFailure, {
  code: "storage_failure",
  status: 500,
  details: (failure) => failure
})
