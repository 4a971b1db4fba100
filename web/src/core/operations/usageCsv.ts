import type { UsageReport } from "./usage.ts"

const HEAD = [
  "Day (UTC)",
  "Model",
  "Agent",
  "Cost (USD)",
  "Tokens in",
  "Tokens out",
  "Read from cache",
  "Written to cache",
  "Responses",
  "Failed"
]

/** A cell by RFC 4180; a spreadsheet runs what begins like a formula, so that gets a quote in front. */
const cell = (value: string | number): string => {
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A report as a table for spreadsheets, a line for each day, model and agent. */
export const usageCsv = ({ rows }: UsageReport): string =>
  [
    HEAD,
    ...rows.map((row) => [
      row.day,
      row.model,
      row.agent,
      row.cost,
      row.input,
      row.output,
      row.cacheRead,
      row.cacheWrite,
      row.messages,
      row.errors
    ])
  ]
    .map((line) => `${line.map(cell).join(",")}\r\n`)
    .join("")
