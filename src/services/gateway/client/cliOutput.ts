import { jsonObjectEnd, parseJsonObject } from "../../../contract/markers/markerJson.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** How many braces that don't start JSON are tried before giving up; prose has few of them. */
const MAX_MISSES = 100

/** The top-level JSON objects in the output of a program that also prints prose, in order. */
export const jsonObjectsIn = (output: string): ReadonlyArray<JsonObject> => {
  const found: Array<JsonObject> = []
  let misses = 0
  let at = output.indexOf("{")
  while (at >= 0 && misses < MAX_MISSES) {
    const end = jsonObjectEnd(output, at, output.length)
    const object = end < 0 ? undefined : parseJsonObject(output.slice(at, end))
    if (object === undefined) misses += 1
    else found.push(object)
    at = output.indexOf("{", object === undefined ? at + 1 : end)
  }
  return found
}

const FAILED_CALL = /^Gateway call failed: (?:[A-Za-z]+: )*(.*)$/m

/** The gateway's response to a call that the tool reports as failed; `undefined` if it doesn't include one. */
export const failedCallText = (output: string): string | undefined => FAILED_CALL.exec(output)?.[1]
