import { $, component$, type QRL, useComputed$, useConstant, useId, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { type MergeDecision, mergedText, mergeTexts } from "../core/knowledge/mergeTexts.ts"
import type { Resolution, TextDocument } from "../core/knowledge/TextDocument.ts"
import type { StoredText } from "../core/knowledge/TextSource.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { MergePieces } from "./MergePieces.tsx"

interface ConflictDialogProps {
  readonly document: TextDocument
  /** The text's name, such as `notes/plan.md`. */
  readonly name: string
  readonly onClose$: QRL<() => void>
}

/** What someone else saved meets what was typed here: a person decides, and nothing is left out without a word. */
export const ConflictDialog = component$<ConflictDialogProps>((props) => {
  const app = useServices()
  const state = useReadable(props.document.state)
  const last = useConstant(() => ({ sides: props.document.sides() }))
  // What others store while the dialog is open is merged, too; once it's settled, the dialog closes as it was.
  const sides = useComputed$(() => {
    if (state.value.conflict !== null) last.sides = props.document.sides()
    return last.sides
  })

  const settle = $(async (choice: Resolution, seen: StoredText | null) => {
    const { document, name } = props
    const back = document.remember()
    await document.resolve(choice, seen)
    if (choice === "theirs")
      app.notices.offerUndo(say("Your changes to {name} were discarded.", { name }), () => back())
  })

  const { base, mine, theirs } = sides.value
  if (theirs === null) {
    return (
      <Dialog title={say("{name} was deleted", { name: props.name })} size="small" onClose$={() => props.onClose$()}>
        <p>{say("Someone deleted it while you were editing. Your text is still here.")}</p>
        <button q:slot="foot" type="button" class="button" onClick$={() => settle("theirs", null)}>
          {say("Discard my text")}
        </button>
        <button q:slot="foot" type="button" class="button is-primary" onClick$={() => settle("mine", null)}>
          {say("Save as new")}
        </button>
      </Dialog>
    )
  }
  return (
    <MergeDialog
      name={props.name}
      base={base}
      mine={mine}
      theirs={theirs}
      onClose$={props.onClose$}
      onSettle$={(choice) => settle(choice, theirs)}
    />
  )
})

interface MergeDialogProps {
  readonly name: string
  readonly base: string | null
  readonly mine: string
  /** Null for the moment in which its deletion arrives. */
  readonly theirs: StoredText | null
  readonly onClose$: QRL<() => void>
  readonly onSettle$: QRL<(choice: Resolution) => void>
}

/** Two texts put together, with a choice for each piece that both changed. */
const MergeDialog = component$<MergeDialogProps>((props) => {
  const id = useId()
  const decisions = useSignal<Readonly<Record<string, MergeDecision>>>({})
  /** What was written for a piece, by this side's words in it: choosing otherwise, or a change by others, doesn't lose it. */
  const words = useSignal<Readonly<Record<string, string>>>({})
  const merge = useComputed$(() => mergeTexts(props.base, props.mine, props.theirs?.text ?? ""))
  const text = useComputed$(() => mergedText(merge.value, decisions.value))

  const { changes, conflicts } = merge.value
  const { onClose$, onSettle$ } = props
  const open = conflicts.filter(({ key }) => decisions.value[key] === undefined).length
  const [kept, taken] = [`${id}-kept`, `${id}-taken`]
  return (
    <Dialog
      title={say("Someone else changed {name}", { name: props.name })}
      size="large"
      keepOnBackdrop
      onClose$={() => onClose$()}
    >
      <p class="soft small merge-note">
        {conflicts.length === 0
          ? say("You both changed different places. All changes are put together here, and nothing is lost.")
          : sayCount(
              conflicts.length,
              "You both changed {count} place: choose what it should say. Everything else is already put together.",
              "You both changed {count} places: choose what each should say. Everything else is already put together."
            )}
      </p>
      {props.base === null && (
        <p class="soft small merge-note">
          {say("There's no earlier text to compare with, so every difference is yours to decide.")}
        </p>
      )}
      <MergePieces
        merge={merge.value}
        decisions={decisions.value}
        words={words.value}
        onDecide$={({ key, mine }, decision) => {
          decisions.value = { ...decisions.value, [key]: decision }
          if (typeof decision === "object") words.value = { ...words.value, [mine.join("\n")]: decision.written }
        }}
      />
      <div q:slot="foot" class="merge-foot">
        <p role="status">
          {open > 0 && <span>{sayCount(open, "{count} place is undecided.", "{count} places are undecided.")}</span>}
        </p>
        <p class="soft small merge-loss">
          <span id={kept}>
            {sayCount(
              changes.theirs,
              "“Keep all of mine” drops {count} saved change.",
              "“Keep all of mine” drops {count} saved changes."
            )}
          </span>{" "}
          <span id={taken}>
            {sayCount(
              changes.mine,
              "“Take all of theirs” drops {count} change of yours.",
              "“Take all of theirs” drops {count} changes of yours."
            )}
          </span>
        </p>
      </div>
      <button q:slot="foot" type="button" class="button" onClick$={() => onClose$()}>
        {say("Decide later")}
      </button>
      <button q:slot="foot" type="button" class="button" aria-describedby={taken} onClick$={() => onSettle$("theirs")}>
        {say("Take all of theirs")}
      </button>
      <button q:slot="foot" type="button" class="button" aria-describedby={kept} onClick$={() => onSettle$("mine")}>
        {say("Keep all of mine")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        data-autofocus={conflicts.length === 0 ? "" : undefined}
        disabled={text.value === null}
        onClick$={() => {
          if (text.value !== null) onSettle$({ merged: text.value })
        }}
      >
        {say("Save merged text")}
      </button>
    </Dialog>
  )
})
