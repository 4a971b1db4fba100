import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { type MarkedPart, parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { focusWhenThere } from "../base/focusWhenThere.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { ChartFigure } from "../ui/charts/ChartFigure.tsx"
import { growWithText } from "../ui/growWithText.ts"
import { Icon } from "../ui/Icon.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { UnseenNote } from "../ui/UnseenNote.tsx"
import { ConflictNote } from "./ConflictNote.tsx"

interface EditSwitchProps {
  readonly writing: Signal<boolean>
  /** The field's id; it takes the focus when it appears. */
  readonly for: string
  /** What a press does while the text is read, and while it's written. */
  readonly edit: string
  readonly read: string
}

/** Switches a text between its field and how it reads. */
const EditSwitch = component$<EditSwitchProps>((props) => {
  const { writing } = props
  const label = writing.value ? props.read : props.edit
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      data-edit-switch
      onClick$={() => {
        const { writing } = props
        writing.value = !writing.value
        if (writing.value) focusWhenThere(document.body, `#${props.for}`)
      }}
    >
      <Icon name={writing.value ? "eye" : "pencil"} />
    </button>
  )
})

/** A card's description: to read once there is one, and to edit. */
export const TaskDescription = component$<{ readonly edit: Signal<TaskEdit> }>((props) => {
  const description = useSignal<HTMLTextAreaElement>()
  const text = valueOf(props.edit.value, "description") ?? ""
  const isEmpty = text.trim() === ""
  // What was begun goes on as it was left.
  const writing = useSignal(() => isEmpty || props.edit.value.changes.description !== undefined)

  useBrowserTask$(({ track }) => {
    track(() => [props.edit.value, writing.value])
    if (description.value !== undefined) growWithText(description.value)
  })

  return (
    <div class="field-row">
      <div class="row gap-2 task-description-head">
        <label for="task-description">{say("Description")}</label>
        {!isEmpty && (
          <EditSwitch
            writing={writing}
            for="task-description"
            edit={say("Edit description")}
            read={say("Preview description")}
          />
        )}
      </div>
      {!writing.value && !isEmpty ? (
        <div class="can-shrink break-words task-preview">
          <MarkdownText text={markUnseen(text, "prose")} streaming={false} />
        </div>
      ) : (
        <textarea
          ref={description}
          id="task-description"
          class="field task-description-field"
          rows={3}
          maxLength={10_000}
          placeholder={say("What needs doing, and how to tell it's done. Markdown is supported.")}
          value={text}
          onInput$={(_, element) => {
            // It stays a field while the last word is replaced.
            writing.value = true
            props.edit.value = edited(props.edit.value, "description", element.value === "" ? null : element.value)
          }}
        />
      )}
      {writing.value && <UnseenNote text={text} />}
      <ConflictNote edit={props.edit} field="description" />
    </div>
  )
})

const ResultPart = component$<{ readonly part: MarkedPart }>((props) =>
  props.part.kind === "chart" ? (
    <ChartFigure chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={false} />
  )
)

/** An agent's result: formatted text and charts. */
export const ResultText = component$<{ readonly text: string }>((props) => (
  <div class="can-shrink break-words task-result">
    {parseMarkers(markUnseen(props.text, "prose")).parts.map((part, index) => (
      <ResultPart key={`${part.kind}-${index}`} part={part} />
    ))}
  </div>
))

/** A card's result, to read and edit. */
export const TaskResult = component$<{ readonly edit: Signal<TaskEdit> }>((props) => {
  const writing = useSignal(false)
  const text = valueOf(props.edit.value, "result") ?? ""
  return (
    <section class="task-section" aria-labelledby="task-result-title">
      <div class="row gap-2 task-section-head">
        <h3 id="task-result-title">{say("Result")}</h3>
        {text !== "" && <CopyButton text={text} label={say("Copy result")} />}
        {text === "" && !writing.value ? (
          <button
            type="button"
            class="button is-small"
            onClick$={() => {
              writing.value = true
              focusWhenThere(document.body, "#task-result")
            }}
          >
            {say("Add a result")}
          </button>
        ) : (
          <EditSwitch writing={writing} for="task-result" edit={say("Edit result")} read={say("Preview result")} />
        )}
      </div>
      {writing.value ? (
        <textarea
          id="task-result"
          class="field task-result-field"
          rows={8}
          maxLength={50_000}
          aria-label={say("Result")}
          value={text}
          onInput$={(_, element) => {
            props.edit.value = edited(props.edit.value, "result", element.value === "" ? null : element.value)
          }}
        />
      ) : (
        text !== "" && <ResultText text={text} />
      )}
      <ConflictNote edit={props.edit} field="result" />
    </section>
  )
})
