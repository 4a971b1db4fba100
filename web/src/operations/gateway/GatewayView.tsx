import { $, component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useReadable } from "../../base/useReadable.ts"
import { approvalSteps, commandToRun } from "../../connection/connectionText.ts"
import { clockTime, duration } from "../../core/common/timeText.ts"
import { say } from "../../core/language/say.ts"
import { pendingRequest } from "../../core/link/gatewayStatus.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { gatewayView, isFirstTry, median } from "../../core/operations/gatewayFacts.ts"
import { CommandLine } from "../../ui/CommandLine.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { useNow } from "../../ui/useNow.ts"
import { useQuery } from "../useQuery.ts"
import { ModelList } from "./ModelList.tsx"
import { VersionCard } from "./VersionCard.tsx"
import "./gateway.css"

const SCOPES: Readonly<Record<string, string>> = {
  "operator.admin": "admin",
  "operator.read": "read",
  "operator.write": "write",
  "operator.approvals": "approvals",
  "operator.pairing": "devices"
}

/** What stands for a fact that nobody knows, or that is about to be known. */
const missingText = (isAwaited: boolean) => (isAwaited ? "Checking…" : "Unknown")

interface FactProps {
  readonly value: string | null
  readonly isAwaited: boolean
  readonly isLatency?: boolean
}

const Fact = component$<FactProps>((props) => {
  const { value } = props
  return (
    <dd class={value === null ? "is-missing" : ""} data-latency={props.isLatency}>
      {value ?? missingText(props.isAwaited)}
    </dd>
  )
})

/** The gateway's state, its response time, and what to do if it gives this console no permissions. */
export const GatewayView = component$(() => {
  const app = useServices()
  const store = useConstant(() => gatewayStore(app.client))
  const link = useReadable(app.client.link.state)
  const hello = useReadable(app.client.link.hello)
  const told = useReadable(app.client.gatewayStatus)
  const defaults = useReadable(app.client.connectDefaults)
  const health = useQuery(store.health)
  const server = useQuery(store.server)
  const latencies = useReadable(store.latencies)
  const now = useNow(1_000)
  useVisibleTask$(({ cleanup }) => cleanup(store.followLatency()), { strategy: "document-ready" })

  const checkup = health.value.value
  const facts = server.value.value
  const serverState = told.value ?? (checkup === null ? null : { gateway: checkup.gateway, reason: null })
  const view = gatewayView(link.value, serverState)
  const requestId = pendingRequest(link.value, told.value)
  const command = commandToRun(link.value, told.value)
  const last = latencies.value.at(-1) ?? null
  const middle = median(latencies.value)
  const scopes = hello.value?.scopes ?? null
  const startedAt = facts?.gatewayStartedAt ?? null
  const consoleSince = checkup === null || health.value.at === null ? null : health.value.at - checkup.uptimeMs
  const isConnecting = isFirstTry(link.value)
  const isReading = ({ value, problem }: { readonly value: unknown; readonly problem: string | null }) =>
    value === null && problem === null
  const isMeasuring = isConnecting || (link.value.phase === "ready" && latencies.value.length === 0)
  const retry = $(() => {
    app.client.link.retryNow()
    return Promise.all([store.health.refresh(), store.server.refresh(), store.measure()])
  })

  return (
    <section aria-labelledby="gateway-title" class="place">
      <h2 id="gateway-title" class="visually-hidden">
        {say("Gateway")}
      </h2>
      <div class={["gateway-state", `is-${view.tone}`]} data-gateway={view.tone}>
        <span class="gateway-dot" aria-hidden="true" />
        <div class="gateway-text" role="status">
          <p class="gateway-word">{view.word}</p>
          {view.detail !== null && <p>{view.detail}</p>}
          {told.value !== null && (
            <p class="muted">{say("Since {since}", { since: clockTime(told.value.since, now.value) })}</p>
          )}
        </div>
        <button type="button" class="button is-small" onClick$={retry}>
          <Icon name="refresh" />
          <span>{say("Check now")}</span>
        </button>
        <dl class="facts gateway-facts">
          <dt>{say("Address")}</dt>
          <dd>
            <code>{defaults.value?.wsUrl ?? say("Unknown")}</code>
          </dd>
          <dt>{say("Permissions")}</dt>
          <dd>
            {scopes === null
              ? missingText(isConnecting)
              : scopes.length === 0
                ? say("none yet")
                : scopes.map((scope) => SCOPES[scope] ?? scope).join(", ")}
          </dd>
          <dt>{say("Protocol")}</dt>
          <dd>{hello.value === null ? missingText(isConnecting) : hello.value.protocol}</dd>
          <dt>{say("Time zone")}</dt>
          <dd>{facts?.timezone ?? missingText(isReading(server.value))}</dd>
        </dl>
      </div>
      {command !== null && (
        <div class="pairing-steps">
          <h3>{say("Approve this console")}</h3>
          <p>{approvalSteps(requestId)}</p>
          <CommandLine command={command} label={say("Copy command")} />
        </div>
      )}
      <dl class="tiles gateway-figures">
        <div class="tile">
          <dt>{say("Version")}</dt>
          <Fact value={hello.value?.serverVersion ?? null} isAwaited={isConnecting} />
        </div>
        <div class="tile">
          <dt>{say("Response time")}</dt>
          <Fact value={last === null ? null : duration(last)} isAwaited={isMeasuring} isLatency={true} />
          <dd class="muted">
            {middle === null || latencies.value.length < 3 ? "" : say("Usually {middle}", { middle: duration(middle) })}
          </dd>
        </div>
        <div class="tile">
          <dt>{say("Gateway uptime")}</dt>
          <Fact
            value={startedAt === null ? null : duration(now.value - startedAt)}
            isAwaited={isReading(server.value)}
          />
          <dd class="muted">
            {startedAt === null && !isReading(server.value) ? say("Only known when it runs on this machine.") : ""}
          </dd>
        </div>
        <div class="tile">
          <dt>{say("Console uptime")}</dt>
          <Fact
            value={consoleSince === null ? null : duration(now.value - consoleSince)}
            isAwaited={isReading(health.value)}
          />
        </div>
      </dl>
      {checkup !== null && checkup.database !== null && (
        <p class="stale-note" role="status">
          {say("The board's file {database}.", { database: checkup.database })}
        </p>
      )}
      <VersionCard />
      <ModelList />
    </section>
  )
})
