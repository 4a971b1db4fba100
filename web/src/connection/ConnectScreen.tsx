import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { chatPath } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { createGatewaysStore, type GatewayInput, type GatewayRow } from "../core/gateways/GatewaysStore.ts"
import { approvalCommand, socketAddress, stateText, stateTone } from "../core/gateways/gatewayText.ts"
import { say } from "../core/language/say.ts"
import { GatewayForm } from "../settings/GatewayForm.tsx"
import { CommandLine } from "../ui/CommandLine.tsx"
import { approvalSteps } from "./connectionText.ts"
import "../settings/settings.css"

/** A gateway as it stands, with what it needs, and the button that tries it. */
const GatewayTry = component$<{ readonly gateway: GatewayRow }>((props) => {
  const app = useServices()
  const { gateway } = props
  const { name, reason, requestId, state, url } = gateway
  const command = approvalCommand(gateway)
  const isPending = command !== null
  return (
    <li class="surface gateway-row">
      <p class="row wrap gap-2">
        <span class="strong">{name}</span>
        <code dir="ltr">{socketAddress(url)}</code>
        <span class={["badge", stateTone(gateway)]} role="status">
          {stateText(gateway)}
        </span>
      </p>
      {isPending && <p class="soft small">{approvalSteps(requestId)}</p>}
      {isPending && <CommandLine command={command} label={say("Copy command")} />}
      {!isPending && state === "unreachable" && (
        <p class="soft small">
          {say("Nothing that speaks like a gateway answers there. Start it, or connect to another address below.")}
        </p>
      )}
      {!isPending && state === "refused" && reason !== null && <p class="soft small">{reason}</p>}
      <div class="row gap-2">
        <button type="button" class="button is-small" onClick$={() => app.client.link.retryNow()}>
          {say("Test again")}
        </button>
      </div>
    </li>
  )
})

/** What a console without any gateway shows: where it looks for one, what that needs, and the way to another. */
export const ConnectScreen = component$(() => {
  const app = useServices()
  const store = useConstant(() => createGatewaysStore(app.client.api, app.client.live))
  const { gateways } = useReadable(store.state).value
  /** The address that was entered here, to begin with as soon as it answers. */
  const entered = useSignal<string | null>(null)

  useBrowserTask$(({ cleanup }) => {
    cleanup(store.follow())
    cleanup(
      app.client.link.state.subscribe(() => {
        void store.load()
      })
    )
    void store.load()
  })
  useBrowserTask$(({ cleanup }) => {
    const begin = () => {
      const one = store.state.get().gateways.find(({ state, url }) => state === "ok" && url === entered.value)
      // A conversation belongs to its gateway's link, which the page makes as soon as it hears of the gateway.
      if (one === undefined || app.client.gateways.get()?.some(({ id }) => id === one.id) !== true) return
      entered.value = null
      app.router.navigate(chatPath(app.client.sessions.create({ gatewayId: one.id })))
    }
    cleanup(store.state.subscribe(begin))
    cleanup(app.client.gateways.subscribe(begin))
  })

  const connect = $(async (input: GatewayInput) => {
    const origin = new URL(input.url.replace(/^ws/i, "http")).origin
    const known = store.state.get().gateways.find(({ isPrimary, url }) => !isPrimary && url === origin)
    entered.value = origin
    return known === undefined ? store.add(input) : store.change(known.id, input)
  })

  return (
    <div class="grow connect-screen">
      <header class="stack gap-2">
        <h2>{say("Connect to your gateway")}</h2>
        <p class="soft">{say("Your agents run there. The console connects to it by its address and its token.")}</p>
      </header>
      <ul class="plain-list stack gap-3" aria-label={say("Gateways")}>
        {gateways.map((gateway) => {
          const { id } = gateway
          return <GatewayTry key={id} gateway={gateway} />
        })}
      </ul>
      <div class="surface gateway-new">
        <GatewayForm before={null} isFirst onSave$={connect} />
      </div>
    </div>
  )
})
