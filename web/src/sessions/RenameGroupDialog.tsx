import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { focusGroup, groupNames, MAX_GROUP, renameGroup } from "./groupActions.ts"

const names = keptValues<string>()

/** Renames a group of sessions as a whole. */
export const RenameGroupDialog = component$<{ readonly group: string }>((props) => {
  const app = useServices()
  const name = useKept(names, props.group, () => props.group)
  const others = groupNames(app).filter((other) => other !== props.group)

  const close = $(() => {
    names.delete(props.group)
    sessionRequest.set(null)
  })
  const save = $(async () => {
    // With the request, the properties are gone.
    const { group } = props
    const chosen = name.value.trim()
    sessionRequest.set(null)
    if (chosen === group || chosen === "") return
    names.delete(group)
    await renameGroup(app, group, chosen)
    focusGroup(chosen)
  })

  return (
    <Dialog title={say("Rename group")} size="small" keepOnBackdrop={true} onClose$={close}>
      <form id="rename-group" preventdefault:submit onSubmit$={save}>
        <Field
          label={say("Name")}
          for="group-name"
          hint={
            others.includes(name.value.trim())
              ? say("There is a group with this name: its sessions and these will be one group.")
              : say("For all sessions of the group.")
          }
        >
          <input
            id="group-name"
            class="field"
            data-autofocus
            autocomplete="off"
            required
            maxLength={MAX_GROUP}
            aria-describedby="group-name-hint"
            bind:value={name}
          />
        </Field>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="rename-group" class="button is-primary">
        {say("Save")}
      </button>
    </Dialog>
  )
})
