/** Bytes from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * The single range a Range header asks for (RFC 9110 §14): `undefined` to send the whole file, also for several ranges
 * or an invalid header, and `unsatisfiable` if none of it exists.
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
