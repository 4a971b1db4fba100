import { Schema } from "effect"

const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** An existing calendar day, as `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => {
  const found = CALENDAR_DATE.exec(text)
  if (found === null) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day >= 1 && day <= (days[month - 1] ?? 0)
}

/** A day in the format of the daily files' names. */
export const MemoryDate = Schema.String.check(
  Schema.makeFilter(isCalendarDate, { expected: "a date in the form YYYY-MM-DD" })
)

const bounded = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isMinLength(minimum), Schema.isMaxLength(maximum))

/** Text that isn't only whitespace. */
const filled = (maximum: number) =>
  bounded(1, maximum).check(
    Schema.makeFilter((text: string) => text.trim().length > 0, { expected: "text that isn't only whitespace" })
  )

/** Its file contains invalid UTF-8: it's shown as far as possible and can't be changed. */
const damaged = Schema.optionalKey(Schema.Literal(true))

/** Entry of the list view. */
export const MemoryEntry = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["section", "item"]), text: Schema.String, damaged }),
  Schema.Struct({ type: Schema.Literal("daily"), date: Schema.String, text: Schema.String, damaged })
])
export type MemoryEntry = typeof MemoryEntry.Type

/** Body of `POST /api/memories`. */
export const MemoryInput = Schema.Struct({
  text: filled(10_000),
  section: Schema.optionalKey(bounded(0, 200)),
  category: Schema.optionalKey(Schema.Literals(["preference", "fact", "decision", "entity", "other"])),
  importance: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })))
})
export type MemoryInput = typeof MemoryInput.Type

/** Body of `PUT /api/memories/section`; without `date`, the long-term file; with `version`, only if unchanged. */
export const MemorySectionInput = Schema.Struct({
  title: filled(200),
  content: bounded(0, 50_000),
  date: Schema.optionalKey(MemoryDate),
  version: Schema.optionalKey(Schema.String)
})
export type MemorySectionInput = typeof MemorySectionInput.Type

/** Body of `DELETE /api/memories`. */
export const MemoryDeletion = Schema.Struct({
  query: bounded(1, 1000),
  type: Schema.optionalKey(Schema.Literals(["section", "item", "daily"])),
  date: Schema.optionalKey(MemoryDate)
}).check(
  Schema.makeFilter(
    (body) =>
      body.type !== "daily" || body.date !== undefined || { path: ["date"], issue: "required when type is daily" }
  )
)
export type MemoryDeletion = typeof MemoryDeletion.Type
