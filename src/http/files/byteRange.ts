/** Bytes from `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * The one range a Range header asks for (RFC 9110 §14): `undefined` where the whole is to be sent, as for several ranges
 * and for what is no range at all, and `unsatisfiable` where nothing of it exists.
 */
export const parseByteRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const match = SINGLE.exec(header?.replaceAll(" ", "") ?? "")
  if (match === null) return undefined
  const [, first = "", last = ""] = match
  if (first === "" && last === "") return undefined
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === "" ? size : Math.min(Number(last) + 1, size)
  if (last !== "" && Number(last) < start) return undefined
  return start >= size ? "unsatisfiable" : { start, end }
}
