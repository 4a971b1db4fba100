// Threads import this file, so it imports nothing of the library.

/** Whether a column's value has the type it should have. */
export type Guard<A> = (value: unknown) => value is A

export const isInteger: Guard<number> = (value): value is number => Number.isSafeInteger(value)
export const isFinite: Guard<number> = (value): value is number => Number.isFinite(value)
export const isText: Guard<string> = (value): value is string => typeof value === "string"
export const isBytes: Guard<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array

/** One of a fixed set of words. */
export const isOneOf =
  <const Words extends ReadonlyArray<string>>(words: Words): Guard<Words[number]> =>
  (value): value is Words[number] =>
    words.some((word) => word === value)

/** A nullable column. */
export const orNull =
  <A>(guard: Guard<A>): Guard<A | null> =>
  (value): value is A | null =>
    value === null || guard(value)

/** The values of a row that passes these guards. */
export type Row<Guards> = { readonly [Column in keyof Guards]: Guards[Column] extends Guard<infer A> ? A : never }

/** Whether a row of STRICT tables, given as a list of values, has the right type in each column. */
export const isRow =
  <const Guards extends ReadonlyArray<Guard<unknown>>>(guards: Guards) =>
  (row: unknown): row is Row<Guards> =>
    Array.isArray(row) && row.length === guards.length && guards.every((fits, column) => fits(row[column]))

/** The checked rows; throws if one has another form. */
export const readRows = <const Guards extends ReadonlyArray<Guard<unknown>>>(
  guards: Guards,
  rows: ReadonlyArray<unknown>
): ReadonlyArray<Row<Guards>> => {
  const fits = isRow(guards)
  return rows.map((row) => {
    if (!fits(row)) throw new TypeError("a row of the database has an unexpected form")
    return row
  })
}

const isNumberRow = isRow([isInteger])

/** What a query for one whole number found; throws if it found something else. */
export const numberIn = ([row]: ReadonlyArray<unknown>): number => {
  if (!isNumberRow(row)) throw new TypeError("a row of the database isn't one number")
  return row[0]
}
