import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { type MarkedPart, parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { focusWhenThere } from "../base/focusWhenThere.ts"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { ChartFigure } from "../ui/charts/ChartFigure.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { ConflictNote } from "./ConflictNote.tsx"
import { EditSwitch } from "./EditSwitch.tsx"

const ResultPart = component$<{ readonly part: MarkedPart }>((props) =>
  props.part.kind === "chart" ? (
    <ChartFigure chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={false} />
  )
)

/** An agent's result: formatted text and charts. */
const ResultText = component$<{ readonly text: string }>((props) => (
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
