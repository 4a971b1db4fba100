import { Schema } from "effect"
import { hasAtMost } from "../characterCount.ts"
import type { Failure } from "../failure.ts"
import { failure } from "../failures.ts"

/** Text of at most `max` characters. */
export const text = (max: number) =>
  Schema.String.annotate(failure("MUST_BE_TEXT")).check(
    Schema.makeFilter((value: string) => hasAtMost(value, max), failure("MAX_CHARACTERS", { max }))
  )

/** Text of 1 to `max` characters that isn't only whitespace. */
export const filledText = (max: number) =>
  Schema.String.annotate(failure("MUST_BE_TEXT")).check(
    Schema.makeFilter(
      (value: string) => value.trim().length > 0 && hasAtMost(value, max),
      failure("MIN_TO_MAX_CHARACTERS", { max })
    )
  )

/** One of a fixed set of words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.Literals(words).annotate(failure("MUST_BE_ONE_OF", { words: words.join(", ") }))

/** A finite number from `min` to `max`. */
export const number = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Finite.annotate(failure("MUST_BE_A_NUMBER")).check(
    Schema.makeFilter(
      (value: number) => value >= min && value <= max,
      max === Number.MAX_SAFE_INTEGER ? failure("MIN_NUMBER", { min }) : failure("NUMBER_RANGE", { min, max })
    )
  )

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Finite.annotate(failure("MUST_BE_A_NUMBER")).check(
    Schema.makeFilter(
      (value: number) => Number.isSafeInteger(value) && value >= min && value <= max,
      max === Number.MAX_SAFE_INTEGER
        ? failure("MIN_WHOLE_NUMBER", { min })
        : failure("WHOLE_NUMBER_RANGE", { min, max })
    )
  )

/** Epoch milliseconds within the range of a date. */
export const epochMillis = wholeNumber(0, 8_640_000_000_000_000)

export const flag = Schema.Boolean.annotate(failure("MUST_BE_TRUE_OR_FALSE"))

/** A list of `min` to `max` entries. */
export const list = <Item extends Schema.Top>(item: Item, min: number, max: number) =>
  Schema.Array(item)
    .annotate(failure("MUST_BE_A_LIST"))
    .check(
      Schema.makeFilter(
        (value: ReadonlyArray<unknown>) => value.length >= min && value.length <= max,
        min === 0 ? failure("MAX_ENTRIES", { max }) : failure("ENTRIES_RANGE", { min, max })
      )
    )

/** A required key, with a message if it's missing. */
export const required = <S extends Schema.Top>(schema: S): S["Rebuild"] =>
  schema.annotateKey({ messageMissingKey: failure("REQUIRED").message })

/** A key that may be absent. */
export const maybe = Schema.optionalKey

/** A key that may be absent, or `null` to clear the field. */
export const clearable = <S extends Schema.Top & { readonly ast: { readonly annotations?: unknown } }>(
  schema: S,
  failure: Failure
) => Schema.optionalKey(Schema.NullOr(schema).annotate({ ...failure }))

/** A key that callers must not send. */
export const forbidden = Schema.optionalKey(Schema.Never.annotate(failure("CANNOT_BE_CHANGED")))

/** An object; anything else is rejected with a message. */
export const body = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate(failure("MUST_BE_A_JSON_OBJECT"))

/** The field of an answer that says only that it was done. */
export const done = { ok: Schema.Literal(true) }
export const Done = Schema.Struct(done)
export type Done = typeof Done.Type
