import { component$, type QRL } from "@builder.io/qwik"
import type { MergeConflict, MergeDecision, MergePiece, TextMerge } from "../core/knowledge/mergeTexts.ts"
import { say } from "../core/language/say.ts"
import { MergeConflictItem } from "./MergeConflictItem.tsx"

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
