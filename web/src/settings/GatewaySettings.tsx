import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { createGatewaysStore, type GatewayInput } from "../core/gateways/GatewaysStore.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ChoiceField } from "./ChoiceField.tsx"
import { GatewayForm } from "./GatewayForm.tsx"
import { GatewayList } from "./GatewayList.tsx"
import "./gatewaySettings.css"
import { say } from "../core/language/say.ts"

/** The gateways that this console speaks to. */
export const GatewaySettings = component$(() => {
  const app = useServices()
  const store = useConstant(() => createGatewaysStore(app.client.api, app.client.events))
  const state = useReadable(store.state)
  const said = useSignal<string | null>(null)

  useVisibleTask$(
    ({ cleanup }) => {
      cleanup(store.follow())
      void store.load()
    },
    { strategy: "document-ready" }
  )

  const { gateways, message, status } = state.value
  const tell = $((text: string) => {
    said.value = text
  })
  return (
    <div class="settings-page gateways">
      <p>
        {say(
          "Every gateway has a connection of its own. Its sessions, jobs, approvals and costs are shown together with those of the others."
        )}
      </p>
      {status === "loading" && <LoadingState label={say("Loading gateways…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the gateways")}
          text={message ?? say("Try again.")}
          onRetry$={() => store.load()}
        />
      )}
      {status === "ready" && <GatewayList store={store} gateways={gateways} onSaid$={tell} />}
      {gateways.length > 1 && <ChoiceField name="sessionGroups" />}
      <GatewayForm
        before={null}
        onSave$={async (input: GatewayInput) => {
          const done = await store.add(input)
          if (done.ok) said.value = say("{name} was added.", { name: input.name })
          return done
        }}
      />
      <p class="settings-note" role="status" hidden={said.value === null}>
        {said.value}
      </p>
    </div>
  )
})
