import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { type AskedLink, useBoard } from "./BoardContext.ts"
import { CardPicker } from "./CardPicker.tsx"
import { focusCard } from "./cardElements.ts"
import { makePartOf, startAfter } from "./flowActions.ts"

/** Links a card with another one that is found by its title. */
export const LinkDialog = component$<{ readonly asked: AskedLink }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { id, kind } = props.asked
  const task = ui.store.find(id)
  const close = $(() => {
    ui.linking.value = null
    focusCard(ui, props.asked.id)
  })
  const pick = $(async (other: string) => {
    const { id, kind } = props.asked
    ui.linking.value = null
    await (kind === "after" ? startAfter(app, ui, id, other) : makePartOf(app, ui, id, other))
  })
  if (task === null) return null
  const card = quotedTitle(task.title)
  const title = kind === "after" ? say("{card} starts after…", { card }) : say("{card} is a part of…", { card })
  const without = kind === "after" ? [id, ...task.after] : [id, ...(task.parentId === null ? [] : [task.parentId])]
  return (
    <Dialog title={title} size="small" onClose$={close}>
      <Field label={say("Card")} for="link-card" hint={say("Type words of its title, then press Enter.")}>
        <CardPicker id="link-card" placeholder={say("Find a card")} without={without} isFocused onPick$={pick} />
      </Field>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
    </Dialog>
  )
})
