import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"

const names = keptValues<string>()

/** Gives a session a custom name; an empty one lets the gateway name it. */
export const RenameDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const row = app.client.sessions.find(props.sessionKey)
  const name = useKept(names, props.sessionKey, () => row?.label ?? "")
  const error = useSignal<string | null>(null)
  const busy = useSignal(false)

  const close = $(() => {
    names.delete(props.sessionKey)
    sessionRequest.set(null)
  })
  const save = $(async () => {
    busy.value = true
    const done = await app.client.sessions.rename(props.sessionKey, name.value)
    busy.value = false
    if (done.ok) close()
    else error.value = done.message
  })

  return (
    <Dialog title={say("Rename session")} size="small" keepOnBackdrop={true} onClose$={close}>
      <form id="rename-session" preventdefault:submit onSubmit$={save}>
        <Field
          label={say("Name")}
          for="session-name"
          hint={say("Leave empty to let the gateway name it.")}
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
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="rename-session" class="button is-primary" disabled={busy.value}>
        {say("Save")}
      </button>
    </Dialog>
  )
})
