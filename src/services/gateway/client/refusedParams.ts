import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const valueAt = (params: unknown, names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>(
    (value, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    params
  )

/** Calls that change something have the new values in a separate part. */
const CHANGES = "patch"

/** A call's value at a path such as `schedule.expr`, if any. */
export const paramAt = (params: object, path: string): unknown => {
  const names = path.split(".")
  return valueAt(params, names) ?? valueAt(params, [CHANGES, ...names])
}

const MAX_SHOWN = 60
const CONTROL = /\p{Cc}/gu

/** A value formatted for a sentence. */
export const shownValue = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? "nothing").replace(CONTROL, " ")
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`
}

/** What a gateway rejected in a call's params. */
export interface RefusedParam {
  /** Always a path from the call, such as `payload.message`. */
  readonly field: string
  readonly failure: Failure
}

const REFUSED = /^invalid [\w.]{1,100} params: (?:at (root|\/[^:]{1,200}): )?([^;]{1,200})/
const UNEXPECTED = /^unexpected property '([^']{1,100})'/

/**
 * The param a gateway's validation rejected first; `undefined` if it names none from the call. The gateway's own words
 * aren't repeated.
 */
export const refusedParam = (params: object, message: string): RefusedParam | undefined => {
  const said = REFUSED.exec(message)
  if (said === null) return undefined
  const [, at = "root", fault = ""] = said
  const extra = UNEXPECTED.exec(fault)?.[1]
  const names = [...(at === "root" ? [] : at.slice(1).split("/")), ...(extra === undefined ? [] : [extra])]
  const value = valueAt(params, names)
  const field = (names[0] === CHANGES ? names.slice(1) : names).join(".")
  if (value === undefined || field === "") return undefined
  const why =
    extra === undefined ? failure("VALUE_NOT_ACCEPTED", { value: shownValue(value) }) : failure("NO_SUCH_FIELD")
  return { field, failure: why }
}
