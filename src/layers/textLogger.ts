import { Console, Logger, References } from "effect"

const digits = (value: number, count: number): string => value.toString().padStart(count, "0")

const writeTime = (date: Date): string =>
  `${digits(date.getHours(), 2)}:${digits(date.getMinutes(), 2)}:${digits(date.getSeconds(), 2)}.${digits(date.getMilliseconds(), 3)}`

let latest = { time: Number.NaN, text: "" }

/** The local time of day, written once for all lines of a millisecond. */
const timeOf = (date: Date): string => {
  const time = date.getTime()
  if (time !== latest.time) latest = { time, text: writeTime(date) }
  return latest.text
}

/** The text of a line that is nothing else. */
const onlyText = ({ cause, fiber, message }: Logger.Options<unknown>): string | undefined => {
  const text = Array.isArray(message) && message.length === 1 ? message[0] : message
  if (typeof text !== "string" || cause.reasons.length > 0) return undefined
  const isBare =
    fiber.getRef(References.CurrentLogSpans).length === 0 &&
    Object.keys(fiber.getRef(References.CurrentLogAnnotations)).length === 0
  return isBare ? text : undefined
}

/**
 * Lines as Effect's own logger writes them. Most are one text, as the line of every request is, and are put together at
 * once instead of in pieces that the console joins.
 */
export const textLogger = Logger.make<unknown, void>((line) => {
  const text = onlyText(line)
  if (text === undefined) return Logger.defaultLogger.log(line)
  const { date, fiber, logLevel } = line
  const console = fiber.getRef(Console.Console)
  console.log(`[${timeOf(date)}] ${logLevel.toUpperCase()} (#${fiber.id}): ${text}`)
})
