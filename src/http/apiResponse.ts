import type { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Failure } from "../contract/failure.ts"
import { detailsOf } from "./errorBody.ts"

/** A response in the error shape of `/api/*`; `error` is a code, or one of the few texts that clients compare. */
export const errorResponse = (
  status: number,
  error: string,
  details?: Failure | string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { error, ...detailsOf(typeof details === "string" ? { message: details } : details) },
    { status, headers }
  )

/**
 * A response with data of the console's own, for the most used routes: it has the schema's type and isn't encoded by
 * the schema, which took half the time of a page of tasks.
 */
export const ownAnswer =
  <S extends Schema.Top>(_schema: S, status = 200) =>
  (value: S["Encoded"]): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.jsonUnsafe(value, { status })

/** The same for an object that is replaced when it changes, such as settings; its response is cached. */
export const keptAnswer = <S extends Schema.Top, Kept extends object>(_schema: S, of: (kept: Kept) => S["Encoded"]) => {
  const answers = new WeakMap<Kept, HttpServerResponse.HttpServerResponse>()
  return (kept: Kept): HttpServerResponse.HttpServerResponse => {
    const known = answers.get(kept) ?? HttpServerResponse.jsonUnsafe(of(kept))
    answers.set(kept, known)
    return known
  }
}

/** The same for JSON text. */
export const ownText = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: "application/json" })
