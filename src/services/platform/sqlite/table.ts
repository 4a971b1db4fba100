import { Schema } from "effect"
import { type Guard, isFinite, isInteger, isOneOf, isText } from "./rowGuards.ts"
import type { SqlValue } from "./Sqlite.ts"

/** How a field is stored in its column. The tables are STRICT, so only each value's type needs checking. */
interface Column<A> {
  /** Throws on a value of another type, which the store reports. */
  read(value: unknown): A
  write(value: A): SqlValue
  /** The expression that selects it, if that isn't the column of the field's name. */
  readonly from?: Expression
}

type Dialect = "sqlite" | "postgres"
type Expression = string | Readonly<Record<Dialect, string>>

type Columns = Readonly<Record<string, Column<unknown>>>

type ValueOf<C> = C extends { readonly read: (value: unknown) => infer A } ? A : never

type OptionalField<C> = { [F in keyof C]: undefined extends ValueOf<C[F]> ? F : never }[keyof C]
type OwnField<C> = { [F in keyof C]: C[F] extends { readonly from: Expression } ? never : F }[keyof C]

type Required<C> = { readonly [F in Exclude<keyof C, OptionalField<C>>]: ValueOf<C[F]> }

/** The fields of a row as they're read; an optional one is absent where its column is NULL. */
type Fields<C> = Required<C> & { readonly [F in OptionalField<C>]?: Exclude<ValueOf<C[F]>, undefined> }

/** The fields that are written. */
type Written<C> = Required<C> & { readonly [F in OptionalField<C>]?: ValueOf<C[F]> }

const column = <A extends SqlValue>(fits: Guard<A>): Column<A> => ({
  read: (value) => {
    if (!fits(value)) throw new TypeError("a row of the database has an unexpected form")
    return value
  },
  write: (value) => value
})

export const text = column(isText)
export const integer = column(isInteger)
export const real = column(isFinite)
/** A boolean as 0 or 1. */
export const flag: Column<boolean> = {
  read: (value) => integer.read(value) === 1,
  write: (value) => (value ? 1 : 0)
}
export const oneOf = <const Words extends ReadonlyArray<string>>(words: Words) => column(isOneOf(words))

export const json = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): Column<S["Type"]> => ({
  read: Schema.decodeUnknownSync(Schema.fromJsonString(schema)),
  write: (value) => JSON.stringify(value)
})

export const optional = <A>({ read, write }: Column<A>): Column<A | undefined> => ({
  read: (value) => (value === null ? undefined : read(value)),
  write: (value) => (value === undefined ? null : write(value))
})

/** A column of another table, which `table.values` leaves out. */
export const elsewhere = <A>(from: Expression, column: Column<A>) => ({ ...column, from })

interface Table<C extends Columns> {
  /** The names of the table's own columns. */
  readonly names: ReadonlyArray<string>
  /** What to select, in the order in which `read` takes it. */
  readonly selected: (dialect?: Dialect) => string
  /** The values of the own columns, in the order of `names`. */
  readonly values: (record: Written<Pick<C, OwnField<C>>>) => ReadonlyArray<SqlValue>
  /** The fields of a row, given as a list of values. */
  readonly read: (row: unknown) => Fields<C>
}

const nameOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A table by its fields, whose names are those of the columns in camel case; `alias` is its name in a `SELECT`. */
export function table<C extends Columns>(alias: string, columns: C): Table<C>
export function table(alias: string, columns: Columns): Table<Columns> {
  const all = Object.entries(columns)
  const own = all.filter(([, { from }]) => from === undefined)
  return {
    names: own.map(([field]) => nameOf(field)),
    selected: (dialect = "sqlite") =>
      all
        .map(([field, { from = `${alias}.${nameOf(field)}` }]) => (typeof from === "string" ? from : from[dialect]))
        .join(", "),
    values: (record) => own.map(([field, { write }]) => write(record[field])),
    read: (row) => {
      const record: Record<string, unknown> = {}
      if (!Array.isArray(row)) return record
      // Assigned one by one: spreading an object per optional field is half of a row's cost.
      all.forEach(([field, { read }], index) => {
        const value = read(row[index])
        if (value !== undefined) record[field] = value
      })
      return record
    }
  }
}

/** Adds a row with these columns; with `key`, replaces the rest of the one that has the same. */
export const insertInto = (name: string, columns: ReadonlyArray<string>, key?: string): string => {
  const insert = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
  if (key === undefined) return insert
  const rest = columns.filter((column) => column !== key)
  return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(", ")}`
}
