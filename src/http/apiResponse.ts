import { HttpServerResponse } from "effect/http"

/** An answer of the one error shape on `/api/*` (D10); `error` is a code or a text SPEC spells out. */
export const errorResponse = (
  status: number,
  error: string,
  details?: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(details === undefined ? { error } : { error, details }, { status, headers })
