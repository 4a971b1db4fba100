import { component$, type QRL, useComputed$, useId } from "@builder.io/qwik"
import type { MergeConflict, MergeDecision, MergePiece, TextMerge } from "../core/knowledge/mergeTexts.ts"
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
const MergeConflictItem = component$<MergeConflictItemProps>((props) => {
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
    <fieldset
      class="stack gap-2 can-shrink merge-conflict"
      data-decided={chosen ?? undefined}
      aria-describedby={`${name}-loss`}
    >
      <legend>{say("Conflict {number} of {count}", { number: props.number, count: props.count })}</legend>
      <div class="stack gap-2 merge-sides">
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
          class="field mono merge-words"
          dir="auto"
          rows={4}
          aria-label={say("What it should say")}
          value={decision.written}
          onInput$={(_, element) => onDecide$({ written: element.value })}
        />
      )}
      <p id={`${name}-loss`} class="soft small merge-loss" role="status">
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
      <p class="soft small merge-nothing">{say("Removed here")}</p>
    ) : (
      <pre tabIndex={0} dir="auto">
        {props.marks.map(({ text, marked }, at) =>
          marked ? <mark key={`${at}`}>{text}</mark> : <span key={`${at}`}>{text}</span>
        )}
      </pre>
    )}
  </section>
))

interface MergePiecesProps {
  readonly merge: TextMerge
  readonly decisions: Readonly<Record<string, MergeDecision>>
  /** What was written for pieces so far, by this side's words in them. */
  readonly words: Readonly<Record<string, string>>
  readonly onDecide$: QRL<(conflict: MergeConflict, decision: MergeDecision) => void>
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 2

/** A merge in the order of its text: what is merged by itself, what is to be decided, and the lines around them. */
export const MergePieces = component$<MergePiecesProps>((props) => {
  const { conflicts, pieces } = props.merge
  const { decisions, onDecide$, words } = props
  const count = conflicts.length
  return (
    <div class="stack gap-2 merge-pieces">
      {pieces.map((piece, at) => {
        if (piece.kind === "same") {
          const { lines } = piece
          return <SameLines key={`${at}`} lines={lines} isFirst={at === 0} isLast={at === pieces.length - 1} />
        }
        if (piece.kind === "merged") return <MergedLines key={`${at}`} piece={piece} />
        const { key } = piece
        const decision = decisions[key]
        const written = words[piece.mine.join("\n")]
        return (
          <MergeConflictItem
            key={key}
            conflict={piece}
            number={conflicts.indexOf(piece) + 1}
            count={count}
            decision={decision}
            written={written}
            onDecide$={(decision) => onDecide$(piece, decision)}
          />
        )
      })}
    </div>
  )
})

interface SameLinesProps {
  readonly lines: ReadonlyArray<string>
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Unchanged lines next to a change. */
const SameLines = component$<SameLinesProps>((props) => {
  const { isFirst, isLast, lines } = props
  const head = isFirst ? [] : lines.slice(0, CONTEXT)
  const tail = isLast ? [] : lines.slice(Math.max(head.length, lines.length - CONTEXT))
  return (
    <pre class="merge-same" dir="auto">
      {head.length > 0 && <span>{`${head.join("\n")}\n`}</span>}
      {head.length + tail.length < lines.length && <span aria-hidden="true">{"⋯\n"}</span>}
      {tail.length > 0 && <span>{tail.join("\n")}</span>}
    </pre>
  )
})

const byText = (by: "mine" | "theirs" | "both"): string => {
  if (by === "mine") return say("Your change")
  return by === "theirs" ? say("Saved change") : say("The same change on both sides")
}

/** A change that is merged by itself. */
const MergedLines = component$<{ readonly piece: Extract<MergePiece, { readonly kind: "merged" }> }>((props) => {
  const { before, by, lines } = props.piece
  return (
    <section class="merge-merged" data-by={by} aria-label={byText(by)}>
      <h3>{byText(by)}</h3>
      <pre tabIndex={0} dir="auto">
        {before.length > 0 && <del>{`${before.join("\n")}\n`}</del>}
        {lines.length > 0 && <ins>{lines.join("\n")}</ins>}
      </pre>
    </section>
  )
})
