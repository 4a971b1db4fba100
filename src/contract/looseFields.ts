/** Total readers for outside data: they never throw, and return null for anything of another type. */

/** Fields of an object, of which nothing is known; of an answer only those that it has can be read. */
export type Fields<A = Readonly<Record<string, unknown>>> = {
  readonly [K in A extends unknown ? keyof A : never]?: unknown
}

/** The keys that an answer may leave out, each with the null that stands for it in the page. */
export type Absent<A> = {
  readonly [K in { [K in keyof A]-?: object extends Pick<A, K> ? K : never }[keyof A]]: null
}

/** An answer as the page keeps it: null stands where the server leaves something out. */
export type Shown<A> = A extends object
  ? { readonly [K in keyof A]-?: Shown<Exclude<A[K], undefined>> | (object extends Pick<A, K> ? null : never) }
  : A

const isRecord = <A>(value: unknown): value is Fields<A> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const recordOf = <A = Readonly<Record<string, unknown>>>(value: unknown): Fields<A> | null =>
  isRecord<A>(value) ? value : null

/** An object's fields, none for anything else. */
export const fieldsOf = <A = Readonly<Record<string, unknown>>>(value: unknown): Fields<A> =>
  isRecord<A>(value) ? value : {}

/** A value from a fixed set of words, null for anything else. */
export const wordOf = <const Words extends ReadonlyArray<string>>(words: Words, value: unknown): Words[number] | null =>
  words.find((word) => word === value) ?? null

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A string with more than whitespace in it. */
export const filledText = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null

export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A list's objects. */
export const recordsOf = <A = Readonly<Record<string, unknown>>>(value: unknown): ReadonlyArray<Fields<A>> =>
  listOf(value).filter((entry) => isRecord<A>(entry))

/** The value in a JSON text, undefined if it isn't JSON. Only texts of the console's own server have a known type. */
export function parseJson<A = unknown>(text: string): A | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
