import type { Variables } from "./readDotEnv.ts"

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim().length > 0

/** Merges several sets of variables; the first source with a non-empty value wins. */
export const mergeVariables = (sources: ReadonlyArray<Variables>): Readonly<Record<string, string>> => {
  const merged: Record<string, string> = Object.create(null)
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (isFilled(value) && merged[name] === undefined) merged[name] = value
    }
  }
  return merged
}
