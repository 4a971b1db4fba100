/** Total readers for data from outside: they never throw and answer null for anything of another type. */

export type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = {}

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const recordOf = (value: unknown): Fields | null => (isRecord(value) ? value : null)

/** The fields of an object, none for anything else. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : NOTHING)

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A string with something in it besides spaces. */
export const filledText = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null

export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The objects of a list. */
export const recordsOf = (value: unknown): ReadonlyArray<Fields> => listOf(value).filter(isRecord)

/** The value behind a JSON text, undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
