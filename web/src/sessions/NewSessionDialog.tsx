import { $, component$, useSignal } from "@builder.io/qwik"
import { PRIMARY, qualifiedKey } from "../../../src/contract/qualifiedKey.ts"
import type { Model } from "../../../src/contract/schema/session.ts"
import { useServices } from "../base/AppContext.ts"
import { chatPath } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { say } from "../core/language/say.ts"
import { type Agent, readAgents, readModels } from "../core/sessions/sessionChoices.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"

const names = keptValues<string>()

/** A new session with a chosen name, agent and model, which it gets with its first message. */
export const NewSessionDialog = component$(() => {
  const app = useServices()
  const name = useKept(names, "", () => "")
  const gateways = app.client.gateways.get() ?? []
  const gatewayId = useSignal<string>(PRIMARY)
  const agentId = useSignal("")
  const model = useSignal("")
  const agents = useSignal<ReadonlyArray<Agent>>([])
  const models = useSignal<ReadonlyArray<Model>>([])
  const error = useSignal<string | null>(null)

  useBrowserTask$(async ({ track }) => {
    const id = track(gatewayId)
    agentId.value = ""
    model.value = ""
    const link = app.client.linkOf(qualifiedKey(id, ""))
    const [known, offered] = await Promise.all([
      readAgents(link),
      readModels(app.client.api, id === PRIMARY ? undefined : id)
    ])
    if (id !== gatewayId.value) return
    agents.value = known
    models.value = offered.ok ? offered.value : []
  })

  const close = $(() => {
    names.clear()
    sessionRequest.set(null)
  })
  const create = $(() => {
    const made = app.client.sessions.create({
      ...(gatewayId.value === PRIMARY ? {} : { gatewayId: gatewayId.value }),
      ...(name.value.trim() === "" ? {} : { label: name.value.trim() }),
      ...(agentId.value === "" ? {} : { agentId: agentId.value }),
      ...(model.value === "" ? {} : { model: model.value })
    })
    if (!made.ok) {
      error.value = made.message
      return
    }
    close()
    app.router.navigate(chatPath(made.value))
  })

  return (
    <Dialog title={say("New session")} size="small" keepOnBackdrop={true} onClose$={close}>
      <form id="new-session" class="form-stack" preventdefault:submit onSubmit$={create}>
        <Field
          label={say("Name")}
          for="new-name"
          hint={say("Leave empty to use your first message.")}
          error={error.value}
        >
          <input
            id="new-name"
            class="field"
            data-autofocus
            autocomplete="off"
            maxLength={200}
            aria-describedby="new-name-hint"
            bind:value={name}
          />
        </Field>
        {gateways.length > 1 && (
          <Field label={say("Gateway")} for="new-gateway">
            <Select
              id="new-gateway"
              chosen={gatewayId}
              options={gateways.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Field>
        )}
        {agents.value.length > 1 && (
          <Field label={say("Agent")} for="new-agent">
            <Select
              id="new-agent"
              chosen={agentId}
              options={[
                { value: "", label: say("{agent} (default)", { agent: agents.value[0]?.name ?? say("Default") }) },
                ...agents.value.slice(1).map(({ id, name }) => ({ value: id, label: name }))
              ]}
            />
          </Field>
        )}
        <Field label={say("Model")} for="new-model">
          <Select
            id="new-model"
            chosen={model}
            options={[
              { value: "", label: say("Gateway default") },
              ...models.value.map(({ id, label }) => ({ value: id, label }))
            ]}
          />
        </Field>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="new-session" class="button is-primary">
        {say("Start")}
      </button>
    </Dialog>
  )
})
