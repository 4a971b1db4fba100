import { component$, type QRL, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import type { Resolution, TextDocument } from "../core/knowledge/TextDocument.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import type { Merge } from "./createMerge.ts"
import "./editor.css"
import { say } from "../core/language/say.ts"

interface ConflictDialogProps {
  readonly document: TextDocument
  /** The text's name, such as `notes/plan.md`. */
  readonly name: string
  readonly onClose$: QRL<() => void>
}

const SIDE_BY_SIDE = "(min-width: 800px)"

/** Shows what someone else saved next to what was typed here, and lets a person choose one or merge them. */
export const ConflictDialog = component$<ConflictDialogProps>((props) => {
  const app = useServices()
  const place = useSignal<HTMLElement>()
  const status = useSignal<"loading" | "ready" | "failed">("loading")
  const isWide = useConstant(() => window.matchMedia(SIDE_BY_SIDE).matches)
  const theirs = useConstant(() => props.document.theirText())
  const merge = useConstant<{ current: Merge | null }>(() => ({ current: null }))

  useVisibleTask$(
    ({ cleanup }) => {
      const element = place.value
      if (element === undefined || theirs === null) return
      const options = { fileName: props.name, theirs, mine: props.document.text(), sideBySide: isWide }
      let isGone = false
      cleanup(() => {
        isGone = true
        merge.current?.leave()
      })
      import("./createMerge.ts")
        .then(({ createMerge }) => createMerge(element, options))
        .then(
          (made) => {
            if (isGone) return made.leave()
            merge.current = made
            status.value = "ready"
          },
          () => {
            status.value = "failed"
          }
        )
    },
    { strategy: "document-ready" }
  )

  const settle = (choice: Resolution) => {
    const { document, name } = props
    const mine = document.text()
    void document.resolve(choice)
    if (choice === "theirs") {
      app.notices.offerUndo(say("Your changes to {name} were discarded.", { name }), () => document.restore(mine))
    }
  }

  if (theirs === null) {
    return (
      <Dialog title={say("{name} was deleted", { name: props.name })} size="small" onClose$={() => props.onClose$()}>
        <p>{say("Someone deleted it while you were editing. Your text is still here.")}</p>
        <button q:slot="foot" type="button" class="button" onClick$={() => settle("theirs")}>
          {say("Discard my text")}
        </button>
        <button q:slot="foot" type="button" class="button is-primary" onClick$={() => settle("mine")}>
          {say("Save as new")}
        </button>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={say("Someone else changed {name}", { name: props.name })}
      size="large"
      keepOnBackdrop
      onClose$={() => props.onClose$()}
    >
      <p class="conflict-note">
        {isWide
          ? say(
              "The saved text is on the left, yours on the right. Use the arrows to copy parts over, or keep typing on the right."
            )
          : say(
              "This is your text, with differences from the saved text highlighted. Accept saved parts, or keep typing."
            )}
      </p>
      {isWide && (
        <div class="conflict-heads" dir="ltr" aria-hidden="true">
          <span>{say("Saved text")}</span>
          <span>{say("Your text")}</span>
        </div>
      )}
      {status.value === "loading" && <LoadingState label={say("Comparing…")} />}
      {status.value === "failed" && (
        <p role="alert">{say("Couldn't load the comparison. You can still choose one of the texts.")}</p>
      )}
      <div
        class={["conflict-place", isWide ? "is-wide" : "is-narrow"]}
        dir="ltr"
        ref={place}
        data-merge={status.value}
      />
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onClose$()}>
        {say("Decide later")}
      </button>
      <button q:slot="foot" type="button" class="button" onClick$={() => settle("theirs")}>
        {say("Take theirs")}
      </button>
      <button q:slot="foot" type="button" class="button" onClick$={() => settle("mine")}>
        {say("Keep mine")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        disabled={status.value !== "ready"}
        onClick$={() => {
          if (merge.current !== null) settle({ merged: merge.current.text() })
        }}
      >
        {say("Save merged text")}
      </button>
    </Dialog>
  )
})
