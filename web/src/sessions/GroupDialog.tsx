import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { groupNames, MAX_GROUP } from "./groupActions.ts"
import { markSession } from "./sessionActions.ts"

const names = keptValues<string>()

/** Puts a session into a group, which exists as long as a session is in it. */
export const GroupDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const row = app.client.sessions.find(props.sessionKey)
  const name = useKept(names, props.sessionKey, () => row?.group ?? "")
  const busy = useSignal(false)
  const groups = groupNames(app)

  const close = $(() => {
    names.delete(props.sessionKey)
    sessionRequest.set(null)
  })
  const move = $(async (group: string) => {
    const chosen = group.trim() === "" ? null : group.trim()
    if (chosen === (row?.group ?? null)) return close()
    busy.value = true
    const isDone = await markSession(app, props.sessionKey, { group: chosen })
    busy.value = false
    if (isDone) close()
  })

  return (
    <Dialog title={say("Move to group")} size="small" keepOnBackdrop={true} onClose$={close}>
      <form id="session-group" class="form-stack" preventdefault:submit onSubmit$={() => move(name.value)}>
        <Field label={say("Group")} for="group-name" hint={say("A new name makes a new group.")}>
          <input
            id="group-name"
            class="field"
            data-autofocus
            autocomplete="off"
            maxLength={MAX_GROUP}
            aria-describedby="group-name-hint"
            bind:value={name}
          />
        </Field>
        {groups.length > 0 && (
          <div class="flex wrap gap-2" role="group" aria-label={say("Groups")}>
            {groups.map((group) => (
              <button
                key={group}
                type="button"
                class="button is-small"
                aria-pressed={group === row?.group ? "true" : "false"}
                onClick$={() => move(group)}
              >
                {group}
              </button>
            ))}
          </div>
        )}
      </form>
      {row?.group != null && (
        <button q:slot="foot" type="button" class="button" onClick$={() => move("")}>
          {say("Remove from group")}
        </button>
      )}
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="session-group" class="button is-primary" disabled={busy.value}>
        {say("Move")}
      </button>
    </Dialog>
  )
})
