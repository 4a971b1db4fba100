import { component$ } from "@builder.io/qwik"
import { dayKey } from "../core/knowledge/MemoryStore.ts"
import type { MemoryDay } from "../core/knowledge/memoryView.ts"
import { DaySection } from "./DaySection.tsx"

interface MemoryDaysProps {
  readonly days: ReadonlyArray<MemoryDay>
  readonly contents: ReadonlyMap<string, string>
  /** Sections that were found stand open. */
  readonly searching: boolean
}

const dayName = (date: string): string => {
  const at = new Date(`${date}T00:00:00`)
  if (Number.isNaN(at.getTime())) return date
  return new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format(at)
}

/** The seven latest daily files, each with its headings. */
export const MemoryDays = component$<MemoryDaysProps>((props) => (
  <div class="memory-days">
    <h2>Latest days</h2>
    {props.days.map(({ date, headings }) => (
      <section key={date} class="memory-card" aria-label={date} data-day={date}>
        <header class="memory-card-head">
          <h3>{dayName(date)}</h3>
          <span class="memory-count">{date}</span>
        </header>
        {headings.map((heading, index) => {
          const content = props.contents.get(dayKey(date, heading)) ?? null
          return (
            <DaySection
              key={`${index}:${heading}`}
              date={date}
              heading={heading}
              content={content}
              open={props.searching}
            />
          )
        })}
      </section>
    ))}
    <p class="memory-hint">
      <a href="/knowledge/files">Older days are among the files</a>
    </p>
  </div>
))
