import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { dayHeading } from "../core/common/dateText.ts"
import { dayKey } from "../core/knowledge/MemoryStore.ts"
import type { MemoryDay } from "../core/knowledge/memoryView.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { placePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { SectionEditor } from "./MemorySectionCard.tsx"
import { MemorySource } from "./MemorySource.tsx"

interface DaySectionProps {
  readonly date: string
  readonly heading: string
  /** Null until it is loaded. */
  readonly content: string | null
  /** What it begins with; empty if that isn't known. */
  readonly preview: string
  /** Starts open. */
  readonly open: boolean
}

/** One heading of a day; when opened it shows its text, which can be edited. */
const DaySection = component$<DaySectionProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const editing = useSignal(() => store.isUnsaved(props.heading, props.date))
  const open = useSignal(() => props.open || editing.value)
  const confirming = useSignal(false)
  const problem = useSignal<string | null>(null)

  useBrowserTask$(async ({ track }) => {
    const isWanted = track(() => open.value) && track(() => props.content) === null
    if (!isWanted) return
    problem.value = null
    const result = await store.readDay(props.date, props.heading)
    if (!result.ok) problem.value = result.message
  })
  useBrowserTask$(({ track }) => {
    if (track(() => props.open)) open.value = true
  })

  const remove = $(async () => {
    const result = await store.removeSection(props.heading, props.date)
    confirming.value = false
    if (!result.ok) app.notices.show("error", result.message)
  })

  useCommands(() => {
    const { date, heading } = props
    const group = say("Memories")
    return [
      {
        id: `day.edit ${date} ${heading}`,
        label: say("Edit “{heading}” of {date}", { heading, date }),
        group,
        run: () => {
          open.value = true
          editing.value = true
        }
      },
      {
        id: `day.delete ${date} ${heading}`,
        label: say("Delete “{heading}” of {date}", { heading, date }),
        group,
        run: () => {
          open.value = true
          editing.value = false
          confirming.value = true
        }
      }
    ]
  })

  const isOpen = open.value
  return (
    <div class="border-top">
      <div class="day-head">
        <h4>
          <button
            type="button"
            class="row gap-2 full-width bare day-toggle"
            aria-expanded={isOpen ? "true" : "false"}
            onClick$={() => {
              open.value = !open.value
            }}
          >
            <Icon name="chevron-right" />
            <span>{props.heading}</span>
          </button>
        </h4>
        {!isOpen && <p class="soft small truncate day-preview">{props.preview}</p>}
      </div>
      {isOpen && editing.value && (
        <SectionEditor
          title={props.heading}
          date={props.date}
          onClose$={() => {
            editing.value = false
          }}
        />
      )}
      {isOpen && !editing.value && (
        <div class="stack gap-3 day-body">
          {problem.value !== null && (
            <p class="memory-hint is-warning" role="alert">
              {problem.value}
            </p>
          )}
          {props.content === null && problem.value === null && (
            <span class="spinner" aria-label={say("Loading…")} role="img" />
          )}
          {props.content !== null && <MarkdownText text={props.content} streaming={false} />}
          <div class="wrap gap-2 day-actions">
            <button
              type="button"
              class="button is-small"
              onClick$={() => {
                editing.value = true
              }}
            >
              {say("Edit")}
            </button>
            <button
              type="button"
              class="button is-small"
              onClick$={() => {
                confirming.value = true
              }}
            >
              {say("Delete")}
            </button>
          </div>
        </div>
      )}
      {confirming.value && (
        <ConfirmDialog
          title={say("Delete “{heading}” of {date}?", { heading: props.heading, date: props.date })}
          confirmLabel={say("Delete section")}
          danger
          onConfirm$={remove}
          onCancel$={() => {
            confirming.value = false
          }}
        >
          <p>{say("The section and everything in it will be deleted. You can't undo this.")}</p>
        </ConfirmDialog>
      )}
    </div>
  )
})

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
            <MemorySource path={`memory/${date}.md`} />
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
