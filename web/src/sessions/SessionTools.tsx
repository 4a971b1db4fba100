import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type SessionRequest, sessionRequest } from "../base/sessionRequest.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { useReadable } from "../base/useReadable.ts"
import { keepRemoved } from "../core/conversation/removedParts.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Menu } from "../ui/Menu.tsx"
import { focusGroup, groupActions, groupNames, MAX_GROUP, renameGroup } from "./groupActions.ts"
import { RemovedDialog } from "./RemovedDialog.tsx"
import { markSession, sessionActions } from "./sessionActions.ts"

const typedGroups = keptValues<string>()

/** Puts a session into a group, which exists as long as a session is in it. */
const GroupDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const row = app.client.sessions.find(props.sessionKey)
  const name = useKept(typedGroups, props.sessionKey, () => row?.group ?? "")
  const busy = useSignal(false)
  const groups = groupNames(app)

  const close = $(() => {
    typedGroups.delete(props.sessionKey)
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

/** Asks before clearing a session, which can't be undone. */
const ResetDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const title = app.client.sessions.find(props.sessionKey)?.title ?? say("the session")
  const close = $(() => sessionRequest.set(null))
  const empty = $(async () => {
    const open = sessionRequest.get()
    const chat = app.client.chat(props.sessionKey)
    if (chat.state.get().status !== "ready") await chat.resync()
    const { items } = chat.state.get()
    const clear = open?.kind === "reset" ? open.clear : undefined
    const done = clear === undefined ? await app.client.sessions.reset(props.sessionKey) : { ok: true as const }
    if (done.ok) keepRemoved(app.client.storage, props.sessionKey, Date.now(), items)
    sessionRequest.set(null)
    clear?.()
    if (!done.ok) app.notices.show("error", done.message)
  })
  return (
    <ConfirmDialog
      title={say("Clear this session?")}
      confirmLabel={say("Clear")}
      danger={true}
      onConfirm$={empty}
      onCancel$={close}
    >
      <p>
        {say(
          "“{session}” starts over: its messages are removed and the agent forgets what was said. You can't undo this.",
          { session: title }
        )}
      </p>
      <p>
        {say(
          "This browser keeps a copy of the messages shown here, under “Removed messages” in the conversation's menu."
        )}
      </p>
    </ConfirmDialog>
  )
})

const renamedGroups = keptValues<string>()

/** Renames a group of sessions as a whole. */
const RenameGroupDialog = component$<{ readonly group: string }>((props) => {
  const app = useServices()
  const name = useKept(renamedGroups, props.group, () => props.group)
  const others = groupNames(app).filter((other) => other !== props.group)

  const close = $(() => {
    renamedGroups.delete(props.group)
    sessionRequest.set(null)
  })
  const save = $(async () => {
    // With the request, the properties are gone.
    const { group } = props
    const chosen = name.value.trim()
    sessionRequest.set(null)
    if (chosen === group || chosen === "") return
    renamedGroups.delete(group)
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

const names = keptValues<string>()

/** Gives a session a custom name; an empty one lets the gateway name it. */
const RenameDialog = component$<{ readonly sessionKey: string }>((props) => {
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

interface SessionMenuProps {
  readonly request: Extract<SessionRequest, { readonly kind: "menu" | "groupMenu" }>
}

/** The menu of a session, in the list or in its chat, or of a group; all share one, so that long lists stay light. */
const SessionMenu = component$<SessionMenuProps>((props) => {
  const app = useServices()
  const { request } = props
  const name =
    request.kind === "menu" ? (app.client.sessions.find(request.key)?.title ?? say("the session")) : request.group
  const label = say("Actions for {session}", { session: name })
  return (
    <section aria-label={label}>
      <Menu
        id="session-menu"
        label={label}
        items={request.kind === "groupMenu" ? groupActions(app, request.group) : sessionActions(app, request.key)}
        atOnce
        opener={() => request.anchor}
        onToggle={(isOpen) => {
          const kind = sessionRequest.get()?.kind
          if (!isOpen && (kind === "menu" || kind === "groupMenu")) sessionRequest.set(null)
        }}
      />
    </section>
  )
})

/** The requested menu or dialog. */
export const SessionTools = component$(() => {
  const request = useReadable(sessionRequest)
  const open = request.value
  if (open === null) return null
  if (open.kind === "groupName") {
    const { group } = open
    return <RenameGroupDialog key={group} group={group} />
  }
  if (open.kind === "groupMenu") {
    const { group } = open
    return <SessionMenu key={group} request={open} />
  }
  const { key } = open
  if (open.kind === "group") return <GroupDialog key={key} sessionKey={key} />
  if (open.kind === "menu") return <SessionMenu key={key} request={open} />
  if (open.kind === "removed") return <RemovedDialog key={key} sessionKey={key} />
  return open.kind === "rename" ? (
    <RenameDialog key={key} sessionKey={key} />
  ) : (
    <ResetDialog key={key} sessionKey={key} />
  )
})
