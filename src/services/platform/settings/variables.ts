import { countsWhenEmpty } from "./settingsSchema.ts"

/** Raw variables by name, from the environment or a `.env` file. */
export type Variables = Readonly<Record<string, string | undefined>>

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim().length > 0

/** Merges several sets of variables; the first source with a value that counts wins. */
export const mergeVariables = (sources: ReadonlyArray<Variables>): Readonly<Record<string, string>> => {
  const merged: Record<string, string> = Object.create(null)
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (merged[name] !== undefined) continue
      if (isFilled(value) || (value !== undefined && countsWhenEmpty(name))) merged[name] = value
    }
  }
  return merged
}
