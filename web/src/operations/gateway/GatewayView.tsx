import { $, component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../../app/ConsoleContext.ts"
import { useReadable } from "../../app/useReadable.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { approvalCommand, gatewayView, median } from "../../core/operations/gatewayFacts.ts"
import { momentText } from "../../core/operations/scheduleWords.ts"
import { ownZone } from "../../core/operations/ZoneClock.ts"
import { duration } from "../../core/timeText.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { useNow } from "../../ui/useNow.ts"
import { useQuery } from "../useQuery.ts"
import { ModelList } from "./ModelList.tsx"
import { VersionCard } from "./VersionCard.tsx"
import "./gateway.css"

const SCOPES: Readonly<Record<string, string>> = {
  "operator.admin": "administration",
  "operator.read": "reading",
  "operator.write": "writing",
  "operator.approvals": "approvals",
  "operator.pairing": "devices"
}

/** How the gateway is, how far away, and what to do where it lets this console do nothing. */
export const GatewayView = component$(() => {
  const app = useServices()
  const store = useConstant(() => gatewayStore(app.console))
  const link = useReadable(app.console.link.state)
  const hello = useReadable(app.console.link.hello)
  const told = useReadable(app.console.gatewayStatus)
  const defaults = useReadable(app.console.connectDefaults)
  const health = useQuery(store.health)
  const server = useQuery(store.server)
  const latencies = useReadable(store.latencies)
  const now = useNow(1_000)
  useVisibleTask$(({ cleanup }) => cleanup(store.followLatency()), { strategy: "document-ready" })

  const checkup = health.value.value
  const facts = server.value.value
  const serverState = told.value ?? (checkup === null ? null : { gateway: checkup.gateway, reason: null })
  const view = gatewayView(link.value, hello.value, serverState)
  const command = view.tone === "ok" ? null : approvalCommand(link.value.message, told.value?.reason)
  const last = latencies.value.at(-1) ?? null
  const middle = median(latencies.value)
  const scopes = hello.value?.scopes ?? null
  const startedAt = facts?.gatewayStartedAt ?? null
  const consoleSince = checkup === null || health.value.at === null ? null : health.value.at - checkup.uptimeMs
  const retry = $(() => {
    app.console.link.retryNow()
    return Promise.all([store.health.refresh(), store.server.refresh(), store.measure()])
  })

  return (
    <section aria-labelledby="gateway-title" class="place">
      <div class="place-head">
        <div>
          <h2 id="gateway-title">Gateway</h2>
          <p class="place-text">The service that runs the agents. This console is one of its devices.</p>
        </div>
        <button type="button" class="button" onClick$={retry}>
          <Icon name="refresh" />
          <span>Check now</span>
        </button>
      </div>
      <div class={["gateway-state", `is-${view.tone}`]} role="status" data-gateway={view.tone}>
        <span class="gateway-dot" aria-hidden="true" />
        <div>
          <p class="gateway-word">{view.word}</p>
          <p>{view.detail}</p>
          {told.value !== null && <p class="muted">{`Since ${momentText(told.value.since, ownZone())}`}</p>}
        </div>
      </div>
      {command !== null && (
        <div class="approval">
          <h3>Approve this console</h3>
          <p>
            {command.endsWith("list")
              ? "On the gateway's machine, in a terminal, run this, then “openclaw devices approve” with the request it shows. Then press “Check now”."
              : "On the gateway's machine, in a terminal, run this once. Then press “Check now”."}
          </p>
          <p class="command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </p>
        </div>
      )}
      <dl class="tiles">
        <div class="tile">
          <dt>Version</dt>
          <dd>{hello.value?.serverVersion ?? "Unknown"}</dd>
        </div>
        <div class="tile">
          <dt>Protocol</dt>
          <dd>{hello.value === null ? "Unknown" : String(hello.value.protocol)}</dd>
        </div>
        <div class="tile">
          <dt>Answer time</dt>
          <dd data-latency>{last === null ? "Unknown" : duration(last)}</dd>
          <dd class="muted">{middle === null || latencies.value.length < 3 ? "" : `Usually ${duration(middle)}`}</dd>
        </div>
        <div class="tile">
          <dt>Gateway running for</dt>
          <dd>{startedAt === null ? "Unknown" : duration(now.value - startedAt)}</dd>
          <dd class="muted">{startedAt === null ? "Only told where it runs on this machine." : ""}</dd>
        </div>
        <div class="tile">
          <dt>Console running for</dt>
          <dd>{consoleSince === null ? "Unknown" : duration(now.value - consoleSince)}</dd>
        </div>
        <div class="tile">
          <dt>Time zone there</dt>
          <dd>{facts?.timezone ?? "Unknown"}</dd>
        </div>
      </dl>
      <dl class="facts gateway-facts">
        <dt>Address</dt>
        <dd>
          <code>{defaults.value?.wsUrl ?? "Unknown"}</code>
        </dd>
        <dt>This console may do</dt>
        <dd>
          {scopes === null
            ? "Not told"
            : scopes.length === 0
              ? "nothing yet"
              : scopes.map((scope) => SCOPES[scope] ?? scope).join(", ")}
        </dd>
      </dl>
      {checkup !== null && checkup.database !== null && (
        <p class="stale-note" role="status">{`The board's file ${checkup.database}.`}</p>
      )}
      <VersionCard />
      <ModelList />
    </section>
  )
})
