import { Schema } from "effect"
import { hasAtMost } from "../characterCount.ts"

/** Text of at most `max` characters. */
export const text = (max: number) =>
  Schema.String.annotate({ message: "must be text" }).check(
    Schema.makeFilter((value: string) => hasAtMost(value, max), { message: `must be at most ${max} characters` })
  )

/** Text of 1 to `max` characters that isn't only whitespace. */
export const filledText = (max: number) =>
  Schema.String.annotate({ message: "must be text" }).check(
    Schema.makeFilter((value: string) => value.trim().length > 0 && hasAtMost(value, max), {
      message: `must be 1 to ${max} characters`
    })
  )

/** One of a fixed set of words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.Literals(words).annotate({ message: `must be one of: ${words.join(", ")}` })

/** A finite number from `min` to `max`. */
export const number = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Finite.annotate({ message: "must be a number" }).check(
    Schema.makeFilter((value: number) => value >= min && value <= max, {
      message: max === Number.MAX_SAFE_INTEGER ? `must be at least ${min}` : `must be from ${min} to ${max}`
    })
  )

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  Schema.Finite.annotate({ message: "must be a number" }).check(
    Schema.makeFilter((value: number) => Number.isSafeInteger(value) && value >= min && value <= max, {
      message:
        max === Number.MAX_SAFE_INTEGER
          ? `must be a whole number of at least ${min}`
          : `must be a whole number from ${min} to ${max}`
    })
  )

/** Epoch milliseconds within the range of a date. */
export const epochMillis = wholeNumber(0, 8_640_000_000_000_000)

export const flag = Schema.Boolean.annotate({ message: "must be true or false" })

/** A list of `min` to `max` entries. */
export const list = <Item extends Schema.Top>(item: Item, min: number, max: number) =>
  Schema.Array(item)
    .annotate({ message: "must be a list" })
    .check(
      Schema.makeFilter((value: ReadonlyArray<unknown>) => value.length >= min && value.length <= max, {
        message: min === 0 ? `must have at most ${max} entries` : `must have ${min} to ${max} entries`
      })
    )

/** A required key, with a message if it's missing. */
export const required = <S extends Schema.Top>(schema: S): S["Rebuild"] =>
  schema.annotateKey({ messageMissingKey: "is required" })

/** A key that may be absent. */
export const maybe = Schema.optionalKey

/** A key that may be absent, or `null` to clear the field. */
export const clearable = <S extends Schema.Top & { readonly ast: { readonly annotations?: unknown } }>(
  schema: S,
  message: string
) => Schema.optionalKey(Schema.NullOr(schema).annotate({ message }))

/** A key that callers must not send. */
export const forbidden = Schema.optionalKey(Schema.Never.annotate({ message: "can't be changed this way" }))

/** An object; anything else is rejected with a message. */
export const body = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate({ message: "must be a JSON object" })
