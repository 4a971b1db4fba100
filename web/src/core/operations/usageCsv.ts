import { say } from "../language/say.ts"
import type { UsageReport } from "./usage.ts"

const HEAD = [
  say("Day (UTC)"),
  say("Model"),
  say("Agent"),
  say("Cost (USD)"),
  say("Tokens in"),
  say("Tokens out"),
  say("Read from cache"),
  say("Written to cache"),
  say("Responses"),
  say("Failed")
]

/** Says that the file is UTF-8, which spreadsheets don't take for granted. */
const BYTE_ORDER_MARK = "\uFEFF"

/** A cell by RFC 4180; a spreadsheet runs what begins like a formula, so that gets a quote in front. */
const cell = (value: string | number): string => {
  if (typeof value === "number") return String(value)
  const text = /^\s*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A report as a table for spreadsheets, a line for each day, model and agent. */
export const usageCsv = ({ rows }: UsageReport): string =>
  BYTE_ORDER_MARK +
  [
    HEAD,
    ...rows.map((row) => [
      row.day,
      row.model,
      row.agent,
      // Unknown, not nothing.
      row.unpriced && row.cost === 0 ? "" : row.cost,
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
