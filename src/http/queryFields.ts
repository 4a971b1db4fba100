import { Schema, SchemaGetter } from "effect"
import { list, oneOf, wholeNumber } from "../contract/schema/fields.ts"

const MAX_VALUES = 100

/** Values from a repeated parameter, comma-separated, or both; empty ones are ignored. */
const words = Schema.Array(Schema.String).pipe(
  Schema.decodeTo(Schema.Array(Schema.String), {
    decode: SchemaGetter.transform((values: ReadonlyArray<string>) =>
      values
        .flatMap((value) => value.split(","))
        .map((value) => value.trim())
        .filter((value) => value.length > 0)
    ),
    encode: SchemaGetter.transform((values: ReadonlyArray<string>) => [...values])
  })
)

/** Some of a fixed set of words. */
export const listed = <const Known extends ReadonlyArray<string>>(known: Known) =>
  words.pipe(Schema.decodeTo(list(oneOf(known), 0, MAX_VALUES)))

/** A whole number in digits; anything else is out of range. */
export const digits = (min: number, max?: number) =>
  Schema.String.pipe(
    Schema.decodeTo(wholeNumber(min, max), {
      decode: SchemaGetter.transform((value: string) => (/^\d{1,16}$/.test(value) ? Number(value) : -1)),
      encode: SchemaGetter.transform((value: number) => String(value))
    })
  )
