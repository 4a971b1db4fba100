import { component$, type QRL, useComputed$, useId } from "@builder.io/qwik"
import type { MergeConflict, MergeDecision } from "../core/knowledge/mergeTexts.ts"
import { say, sayCount } from "../core/language/say.ts"
import { type MarkedText, wordMarks } from "../core/text/diffRows.ts"

interface MergeConflictItemProps {
  readonly conflict: MergeConflict
  /** Counts from 1. */
  readonly number: number
  readonly count: number
  readonly decision: MergeDecision | undefined
  /** What was written for it before. */
  readonly written: string | undefined
  readonly onDecide$: QRL<(decision: MergeDecision) => void>
}

type Kind = "theirs" | "mine" | "both" | "written"

const kindOf = (decision: MergeDecision | undefined): Kind | null =>
  typeof decision === "object" ? "written" : (decision ?? null)

/** What a decision leaves out. */
const lossText = ({ isInOrder, mine, theirs }: MergeConflict, kind: Kind): string => {
  if (kind === "written") return say("Your words here replace both.")
  if (kind === "both")
    return isInOrder
      ? say("Nothing is left out: both changes are made.")
      : say("Nothing is left out: the saved text comes first, then yours.")
  if (kind === "mine")
    return theirs.length === 0
      ? say("The lines that were removed from the saved text come back.")
      : sayCount(
          theirs.length,
          "{count} line of the saved text is left out.",
          "{count} lines of the saved text are left out."
        )
  return mine.length === 0
    ? say("The lines that you removed come back.")
    : sayCount(mine.length, "{count} line of yours is left out.", "{count} lines of yours are left out.")
}

/** A piece that both sides changed: what each made of it, and the choice between them. */
export const MergeConflictItem = component$<MergeConflictItemProps>((props) => {
  const name = useId()
  const marks = useComputed$(() => wordMarks(props.conflict.theirs.join("\n"), props.conflict.mine.join("\n")))
  const { conflict, decision, onDecide$ } = props
  const { mine, theirs } = conflict
  const chosen = kindOf(decision)
  const kinds: ReadonlyArray<{ readonly kind: Kind; readonly label: string }> = [
    { kind: "theirs", label: say("Take theirs") },
    { kind: "mine", label: say("Keep mine") },
    ...(conflict.mine.length > 0 && conflict.theirs.length > 0
      ? [{ kind: "both", label: say("Keep both") } as const]
      : []),
    { kind: "written", label: say("Write it anew") }
  ]
  const start = (kind: Kind): MergeDecision =>
    kind === "written" ? { written: props.written ?? conflict.both.join("\n") } : kind
  return (
    <fieldset class="merge-conflict" data-decided={chosen ?? undefined} aria-describedby={`${name}-loss`}>
      <legend>{say("Conflict {number} of {count}", { number: props.number, count: props.count })}</legend>
      <div class="merge-sides">
        <MergeSide title={say("Saved text")} lines={theirs} marks={marks.value.before} />
        <MergeSide title={say("Your text")} lines={mine} marks={marks.value.after} />
      </div>
      <div class="merge-choice">
        {kinds.map(({ kind, label }) => (
          <label key={kind}>
            <input
              type="radio"
              name={name}
              value={kind}
              checked={chosen === kind}
              onChange$={() => onDecide$(start(kind))}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {typeof decision === "object" && (
        <textarea
          class="field merge-words"
          dir="auto"
          rows={4}
          aria-label={say("What it should say")}
          value={decision.written}
          onInput$={(_, element) => onDecide$({ written: element.value })}
        />
      )}
      <p id={`${name}-loss`} class="merge-loss" role="status">
        {chosen === null ? say("Not decided yet.") : lossText(conflict, chosen)}
      </p>
    </fieldset>
  )
})

interface MergeSideProps {
  readonly title: string
  readonly lines: ReadonlyArray<string>
  readonly marks: ReadonlyArray<MarkedText>
}

/** What one side made of a piece. */
const MergeSide = component$<MergeSideProps>((props) => (
  <section class="merge-side" aria-label={props.title}>
    <h3>{props.title}</h3>
    {props.lines.length === 0 ? (
      <p class="merge-nothing">{say("Removed here")}</p>
    ) : (
      <pre tabIndex={0} dir="auto">
        {props.marks.map(({ text, marked }, at) =>
          marked ? <mark key={`${at}`}>{text}</mark> : <span key={`${at}`}>{text}</span>
        )}
      </pre>
    )}
  </section>
))
