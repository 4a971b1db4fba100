import { component$, useSignal } from "@builder.io/qwik"
import { ConfirmDialog } from "../src/ui/ConfirmDialog.tsx"
import { Dialog } from "../src/ui/Dialog.tsx"
import { DiffView } from "../src/ui/DiffView.tsx"
import { EmptyState } from "../src/ui/EmptyState.tsx"
import { ErrorState } from "../src/ui/ErrorState.tsx"
import { Field } from "../src/ui/Field.tsx"
import { LoadingState } from "../src/ui/LoadingState.tsx"
import type { MenuItem } from "../src/ui/Menu.tsx"
import { MenuButton } from "../src/ui/MenuButton.tsx"
import { Select } from "../src/ui/Select.tsx"
import { Switch } from "../src/ui/Switch.tsx"
import { Tabs } from "../src/ui/Tabs.tsx"

const KINDS = [
  { value: "first", label: "First" },
  { value: "second", label: "Second" }
]
const BEFORE = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the text`).join("\n")
const AFTER = BEFORE.replace("Line 3 of", "Line three of").replace("Line 30 of the text\n", "")

/** The pieces that do something, with what happened written into the page. */
export const InteractivePieces = component$(() => {
  const shown = useSignal<"nothing" | "dialog" | "question">("nothing")
  const log = useSignal<ReadonlyArray<string>>([])
  const on = useSignal(false)
  const kind = useSignal("first")
  const note = (text: string) => {
    log.value = [...log.value, text]
  }
  const items: ReadonlyArray<MenuItem> = [
    { label: "Rename", icon: "check", run: () => note("rename") },
    { label: "Reset", disabled: true, run: () => note("reset") },
    { label: "Delete", icon: "x", danger: true, run: () => note("delete") }
  ]
  return (
    <section data-piece="Interactive">
      <h2>Interactive</h2>
      <p>
        <button type="button" class="button" id="open-dialog" onClick$={() => (shown.value = "dialog")}>
          Open the dialog
        </button>
        <button type="button" class="button" id="open-question" onClick$={() => (shown.value = "question")}>
          Ask
        </button>
        <MenuButton label="More actions" items={items} />
      </p>
      <p id="log">{log.value.join(",")}</p>
      <Tabs
        label="Places"
        current="#two"
        tabs={[
          { href: "#one", label: "One" },
          { href: "#two", label: "Two", count: 3 }
        ]}
      />
      <Switch
        label="Sound"
        hint="Plays when an answer is there."
        checked={on.value}
        onChange$={(checked) => {
          on.value = checked
        }}
      />
      <Field label="Name" for="name" hint="What it is called." error={on.value ? "This name is taken." : null}>
        <input id="name" class="field" aria-describedby="name-hint" />
      </Field>
      <Field label="Kind" for="kind">
        <Select id="kind" chosen={kind} options={KINDS} />
      </Field>
      <LoadingState label="Loading the board…" />
      <EmptyState icon="kanban" title="No tasks yet" text="Make one and hand it to an agent.">
        <button type="button" class="button is-primary">
          New task
        </button>
      </EmptyState>
      <ErrorState title="Couldn't load the board" text="The console answered nothing." onRetry$={() => note("retry")} />
      <DiffView about="a file" before={BEFORE} after={AFTER} beforeLabel="On disk" afterLabel="Yours" />
      {shown.value === "dialog" && (
        <Dialog title="A dialog" onClose$={() => (shown.value = "nothing")}>
          <Field label="Title" for="title">
            <input id="title" class="field" />
          </Field>
          <button q:slot="foot" type="button" class="button is-primary" onClick$={() => (shown.value = "nothing")}>
            Save
          </button>
        </Dialog>
      )}
      {shown.value === "question" && (
        <ConfirmDialog
          title="Delete this task?"
          confirmLabel="Delete the task"
          danger
          onConfirm$={() => {
            note("confirmed")
            shown.value = "nothing"
          }}
          onCancel$={() => (shown.value = "nothing")}
        >
          <p>Its history goes with it.</p>
        </ConfirmDialog>
      )}
    </section>
  )
})
