import type { Variables } from "./readDotEnv.ts"

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim().length > 0

/** One set of variables from several; the first source with a value wins, and an empty value is none. */
export const mergeVariables = (sources: ReadonlyArray<Variables>): Readonly<Record<string, string>> => {
  const merged: Record<string, string> = Object.create(null)
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (isFilled(value) && merged[name] === undefined) merged[name] = value
    }
  }
  return merged
}
