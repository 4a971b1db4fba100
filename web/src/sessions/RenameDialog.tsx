import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { sessionRequest } from "./sessionRequest.ts"

/** Gives a session a name of its own; an empty one gives it back to the gateway. */
export const RenameDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const row = app.console.sessions.find(props.sessionKey)
  const name = useSignal(row?.label ?? "")
  const error = useSignal<string | null>(null)
  const busy = useSignal(false)

  const close = $(() => sessionRequest.set(null))
  const save = $(async () => {
    busy.value = true
    const done = await app.console.sessions.rename(props.sessionKey, name.value)
    busy.value = false
    if (done.ok) sessionRequest.set(null)
    else error.value = done.message
  })

  return (
    <Dialog title="Rename the session" size="small" keepOnBackdrop={true} onClose$={close}>
      <form id="rename-session" preventdefault:submit onSubmit$={save}>
        <Field
          label="Name"
          for="session-name"
          hint="Empty: the gateway names it after its first question."
          error={error.value}
        >
          <input
            id="session-name"
            class="field"
            data-autofocus
            autocomplete="off"
            maxLength={200}
            placeholder={row?.title ?? ""}
            aria-describedby="session-name-hint"
            aria-invalid={error.value === null ? "false" : "true"}
            bind:value={name}
          />
        </Field>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        Cancel
      </button>
      <button q:slot="foot" type="submit" form="rename-session" class="button is-primary" disabled={busy.value}>
        Save
      </button>
    </Dialog>
  )
})
