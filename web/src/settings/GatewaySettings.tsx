import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { createGatewaysStore, type GatewayInput } from "../core/gateways/GatewaysStore.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ChoiceField } from "./ChoiceField.tsx"
import { GatewayForm } from "./GatewayForm.tsx"
import { GatewayList } from "./GatewayList.tsx"

/** The gateways that this console speaks to. */
export const GatewaySettings = component$(() => {
  const app = useServices()
  const store = useConstant(() => createGatewaysStore(app.client.api, app.client.live))
  const state = useReadable(store.state)
  const said = useSignal<string | null>(null)
  const adding = useSignal(false)

  useBrowserTask$(({ cleanup }) => {
    cleanup(store.follow())
    void store.load()
  })

  const { gateways, message, status } = state.value
  const report = $((text: string) => {
    said.value = text
  })
  const add = $(() => {
    adding.value = true
    said.value = null
  })
  useCommands(() => [
    {
      id: "gateways.add",
      label: say("Add gateway"),
      group: say("Gateways"),
      when: () => state.value.status === "ready" && !adding.value,
      run: add
    }
  ])
  const close = $(() => {
    adding.value = false
    afterFrames(2, () => document.getElementById("gateway-add")?.focus())
  })
  return (
    <div class="settings-page gateways">
      {status === "loading" && <LoadingState label={say("Loading gateways…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the gateways")}
          text={message ?? say("Try again.")}
          onRetry$={() => store.load()}
        />
      )}
      {status === "ready" && <GatewayList store={store} gateways={gateways} onSaid$={report} />}
      {status === "ready" && !adding.value && (
        <div class="row wrap space-between gap-3 gateway-another">
          <p class="settings-note">
            {gateways.length > 1
              ? say("Sessions, jobs and approvals of all gateways are shown together.")
              : say("Agents on another machine? Add their gateway here.")}
          </p>
          <button id="gateway-add" type="button" class="button is-small" onClick$={add}>
            <Icon name="plus" />
            <span>{say("Add gateway")}</span>
          </button>
        </div>
      )}
      {adding.value && (
        <div class="surface gateway-new">
          <GatewayForm
            before={null}
            onCancel$={close}
            onSave$={async (input: GatewayInput) => {
              const done = await store.add(input)
              if (done.ok) {
                said.value = say("{name} was added.", { name: input.name })
                await close()
              }
              return done
            }}
          />
        </div>
      )}
      {gateways.length > 1 && (
        <div class="settings-group">
          <ChoiceField name="sessionGroups" />
        </div>
      )}
      <p class="settings-note" role="status" hidden={said.value === null}>
        {said.value}
      </p>
    </div>
  )
})
