import type { DoctorCheck } from "../contract/schema/machine.ts"

/** The marks of the three states, with their colours. */
export const MARKS = {
  ok: { mark: "✓", colour: "\u001b[32m" },
  warning: { mark: "!", colour: "\u001b[33m" },
  problem: { mark: "✗", colour: "\u001b[31m" }
} as const
export const PLAIN = "\u001b[0m"

/** How many of them don't work, or should be looked at. */
export const summary = (checks: ReadonlyArray<Pick<DoctorCheck, "state">>): string => {
  const count = (state: DoctorCheck["state"]) => checks.filter((check) => check.state === state).length
  const [problems, warnings] = [count("problem"), count("warning")]
  if (problems + warnings === 0) return "Everything looks good."
  const named = (number: number, thing: string) => `${number} ${thing}${number === 1 ? "" : "s"}`
  return [problems > 0 ? named(problems, "problem") : "", warnings > 0 ? named(warnings, "warning") : ""]
    .filter((part) => part !== "")
    .join(", ")
    .concat(".")
}

/** The findings of the doctor as one table, each with what to do about it. */
export const doctorTable = (checks: ReadonlyArray<DoctorCheck>, hasColour: boolean): string => {
  const width = Math.max(...checks.map(({ title }) => title.length))
  const lines = checks.flatMap(({ title, state, detail, fix }) => {
    const { mark, colour } = MARKS[state]
    const shown = hasColour ? `${colour}${mark}${PLAIN}` : mark
    return [
      `${shown} ${title.padEnd(width)}  ${detail}`,
      ...(fix === undefined ? [] : [`  ${" ".repeat(width)}  → ${fix}`])
    ]
  })
  return [...lines, "", summary(checks)].join("\n")
}
