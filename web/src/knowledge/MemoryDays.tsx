import { component$ } from "@builder.io/qwik"
import { dayHeading } from "../core/common/dateText.ts"
import { dayKey } from "../core/knowledge/MemoryStore.ts"
import type { MemoryDay } from "../core/knowledge/memoryView.ts"
import { say } from "../core/language/say.ts"
import { DaySection } from "./DaySection.tsx"
import { placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface MemoryDaysProps {
  readonly days: ReadonlyArray<MemoryDay>
  readonly contents: ReadonlyMap<string, string>
  readonly previews: ReadonlyMap<string, string>
  /** Sections that match a search start open. */
  readonly searching: boolean
}

/** The seven latest daily files, each with its headings. */
export const MemoryDays = component$<MemoryDaysProps>((props) => {
  const knowledge = useKnowledge()
  const now = Date.now()
  return (
    <div class="stack gap-4 can-shrink">
      <h2>{say("Latest days")}</h2>
      {props.days.map(({ date, headings }) => (
        <section key={date} class="can-shrink surface memory-card" aria-label={dayHeading(date, now)} data-day={date}>
          <header class="row gap-3 memory-card-head">
            <h3>{dayHeading(date, now)}</h3>
          </header>
          {headings.map((heading, index) => {
            const content = props.contents.get(dayKey(date, heading)) ?? null
            return (
              <DaySection
                key={`${index}:${heading}`}
                date={date}
                heading={heading}
                content={content}
                preview={props.previews.get(dayKey(date, heading)) ?? ""}
                open={props.searching}
              />
            )
          })}
        </section>
      ))}
      <a class="button is-small memory-older" href={placePath(knowledge.agent, "files")}>
        {say("Open older days")}
      </a>
    </div>
  )
})
