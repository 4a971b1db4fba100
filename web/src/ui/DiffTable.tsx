import { component$, useComputed$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say, sayCount } from "../core/language/say.ts"
import { countChanges, type DiffPart, type DiffRow, diffRows, foldRows, pairRows } from "../core/text/diffRows.ts"
import "./diff.css"

/** Labels for the two texts being compared. */
export interface DiffViewProps {
  /** What is compared, for screen readers: "Description". */
  readonly about: string
  readonly before: string
  readonly after: string
  /** What the two texts are called: "On disk", "Yours". */
  readonly beforeLabel: string
  readonly afterLabel: string
}

/** At this width in pixels and above, the two texts are side by side. */
const WIDE = 720

/** The comparison table; use it through `DiffView`. */
export const DiffTable = component$<DiffViewProps>((props) => {
  const frame = useSignal<HTMLElement>()
  const wide = useSignal(false)
  const opened = useSignal<ReadonlyArray<number>>([])
  const rows = useComputed$(() => diffRows(props.before, props.after))

  useBrowserTask$(({ cleanup }) => {
    const element = frame.value
    if (element === undefined) return
    const observer = new ResizeObserver(() => {
      wide.value = element.clientWidth >= WIDE
    })
    observer.observe(element)
    cleanup(() => observer.disconnect())
  })

  const { added, removed } = countChanges(rows.value)
  const parts = foldRows(rows.value).map((part, index) => ({
    ...part,
    hidden: part.hidden && !opened.value.includes(index)
  }))
  const sum =
    added + removed === 0 ? say("No differences") : say("{added} added, {removed} removed", { added, removed })
  return (
    <div
      class={["surface small diff", wide.value && "is-wide"]}
      ref={frame}
      role="group"
      aria-label={say("{before} and {after}", { before: props.beforeLabel, after: props.afterLabel })}
    >
      <div class="flex wrap strong border-bottom diff-names">
        <span>{props.beforeLabel}</span>
        <span>{props.afterLabel}</span>
        <span class="diff-sum">{sum}</span>
      </div>
      <div
        class="diff-scroll"
        tabIndex={0}
        role="region"
        aria-label={say("Comparison of {name}", { name: props.about })}
      >
        <table dir="ltr">
          {parts.map((part, index) =>
            part.hidden ? (
              <tbody key={`gap-${index}`} class="diff-gap">
                <tr>
                  <td colSpan={4}>
                    <button
                      type="button"
                      onClick$={() => {
                        opened.value = [...opened.value, index]
                      }}
                    >
                      {sayCount(part.rows.length, "Show {count} unchanged line", "Show {count} unchanged lines")}
                    </button>
                  </td>
                </tr>
              </tbody>
            ) : (
              <DiffLines key={`rows-${index}`} part={part} wide={wide.value} />
            )
          )}
        </table>
      </div>
    </div>
  )
})

const MARK = { same: "", removed: "−", added: "+" } as const

const DiffLines = component$<{ readonly part: DiffPart; readonly wide: boolean }>((props) =>
  props.wide ? (
    <tbody>
      {pairRows(props.part.rows).map(({ left, right }, index) => (
        <tr key={`pair-${index}`}>
          <SideCells row={left} side="before" />
          <SideCells row={right} side="after" />
        </tr>
      ))}
    </tbody>
  ) : (
    <tbody>
      {props.part.rows.map((row) => (
        <tr key={`${row.before}-${row.after}`} class={`is-${row.kind}`}>
          <td class="diff-number">{row.before}</td>
          <td class="diff-number">{row.after}</td>
          <td class="break-words pre-wrap diff-text" data-mark={MARK[row.kind]} colSpan={2}>
            {row.text}
          </td>
        </tr>
      ))}
    </tbody>
  )
)

const SideCells = component$<{ readonly row: DiffRow | null; readonly side: "before" | "after" }>((props) => {
  const row = props.row
  if (row === null) return <td class="diff-nothing" colSpan={2} />
  return (
    <>
      <td class={["diff-number", `is-${row.kind}`]}>{row[props.side]}</td>
      <td class={["break-words pre-wrap diff-text", `is-${row.kind}`]} data-mark={MARK[row.kind]}>
        {row.text}
      </td>
    </>
  )
})
