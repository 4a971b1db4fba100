import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useCommands } from "../../base/useCommands.ts"
import { useReadable } from "../../base/useReadable.ts"
import { approvalSteps, commandToRun } from "../../connection/connectionText.ts"
import { clockTime, duration } from "../../core/common/timeText.ts"
import { socketAddress } from "../../core/gateways/gatewayText.ts"
import { say } from "../../core/language/say.ts"
import { pendingRequest } from "../../core/link/gatewayStatus.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { gatewayView, isFirstTry, median } from "../../core/operations/gatewayFacts.ts"
import { CommandLine } from "../../ui/CommandLine.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { copyText } from "../../ui/copyText.ts"
import { Icon } from "../../ui/Icon.tsx"
import { useNow } from "../../ui/useNow.ts"
import { useQuery } from "../useQuery.ts"
import { ModelList } from "./ModelList.tsx"
import { VersionCard } from "./VersionCard.tsx"
import "../../ui/fold.css"
import "./gateway.css"

const SCOPES: Readonly<Record<string, string>> = {
  "operator.admin": "admin",
  "operator.read": "read",
  "operator.write": "write",
  "operator.approvals": "approvals",
  "operator.pairing": "devices"
}

/** What stands for a fact that nobody knows, or that is about to be known. */
const missingText = (isAwaited: boolean) => (isAwaited ? say("Checking…") : say("Unknown"))

interface FigureProps {
  readonly label: string
  readonly value: string | null
  readonly isAwaited: boolean
  /** What puts the value into proportion, in a few words. */
  readonly note?: string
  readonly isLatency?: boolean
}

const Figure = component$<FigureProps>((props) => {
  const { value } = props
  return (
    <div>
      <dt>{props.label}</dt>
      <dd class={value === null ? "is-missing" : ""} data-latency={props.isLatency}>
        {value ?? missingText(props.isAwaited)}
      </dd>
      {props.note !== undefined && <dd class="muted">{props.note}</dd>}
    </div>
  )
})

/** The gateway's state, its response time, and what to do if it gives this console no permissions. */
export const GatewayView = component$<{ readonly gatewayId: string }>((props) => {
  const app = useServices()
  const store = useConstant(() => gatewayStore(app.client))
  const link = useReadable(app.client.link.state)
  const hello = useReadable(app.client.link.hello)
  const told = useReadable(app.client.gatewayStatus)
  const health = useQuery(store.health)
  const server = useQuery(store.server)
  const gateways = useQuery(store.gateways)
  const latencies = useReadable(store.latencies)
  const now = useNow(1_000)
  useBrowserTask$(({ cleanup }) => cleanup(store.followLatency()))

  const checkup = health.value.value
  const facts = server.value.value
  const addressNow = () => {
    const own = gateways.value.value?.find(({ id, isPrimary }) =>
      props.gatewayId === "" ? isPrimary : id === props.gatewayId
    )
    return own === undefined ? null : socketAddress(own.url)
  }
  const address = addressNow()
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
    return Promise.all([store.health.refresh(), store.server.refresh(), store.gateways.refresh(), store.measure()])
  })
  useCommands(() => {
    const group = say("Gateway")
    return [
      { id: "gateway.check", label: say("Check the gateway now"), group, keywords: "reconnect refresh", run: retry },
      {
        id: "gateway.address",
        label: say("Copy the gateway's address"),
        group,
        when: () => addressNow() !== null,
        run: async () =>
          app.notices.show(
            "info",
            (await copyText(addressNow() ?? "")) ? say("Address copied") : say("Couldn't copy the address")
          )
      },
      {
        id: "gateway.change",
        label: say("Change the gateway's address"),
        group,
        run: () => app.router.navigate("/settings/gateways")
      }
    ]
  })

  return (
    <section aria-labelledby="gateway-title" class="place">
      <h2 id="gateway-title" class="visually-hidden">
        {say("Gateway")}
      </h2>
      <div class={["gateway-card", "gateway-state", `is-${view.tone}`]} data-gateway={view.tone}>
        <div class="row wrap gap-3">
          <span class="gateway-dot" aria-hidden="true" />
          <div class="gateway-text" role="status">
            <p class="gateway-line">
              <span class="gateway-word">{view.word}</span>
              {told.value !== null && (
                <span class="muted">{say("Since {since}", { since: clockTime(told.value.since, now.value) })}</span>
              )}
            </p>
            {view.detail !== null && <p class="small">{view.detail}</p>}
          </div>
          <div class="wrap gap-2 gateway-deeds">
            <a class="button is-small" href="/settings/gateways">
              {say("Change address")}
            </a>
            <button
              type="button"
              class="button is-small"
              title={say("Connects again if it has to, measures the response time, and reads everything here anew.")}
              onClick$={retry}
            >
              <Icon name="refresh" />
              <span>{say("Check now")}</span>
            </button>
          </div>
        </div>
        <dl class="stack gap-4 border-top gateway-figures">
          <Figure label={say("Version")} value={hello.value?.serverVersion ?? null} isAwaited={isConnecting} />
          <Figure
            label={say("Response time")}
            value={last === null ? null : duration(last)}
            isAwaited={isMeasuring}
            isLatency={true}
            note={
              middle === null || latencies.value.length < 3 ? "" : say("Usually {middle}", { middle: duration(middle) })
            }
          />
          <Figure
            label={say("Gateway uptime")}
            value={startedAt === null ? null : duration(now.value - startedAt)}
            isAwaited={isReading(server.value)}
            note={startedAt === null && !isReading(server.value) ? say("Only known when it runs on this machine.") : ""}
          />
          <div>
            <dt>{say("Address")}</dt>
            <dd class="gateway-address">
              {address === null ? (
                missingText(isReading(gateways.value))
              ) : (
                <>
                  <code>{address}</code>
                  <CopyButton text={address} label={say("Copy address")} />
                </>
              )}
            </dd>
          </div>
        </dl>
        <details class="fold">
          <summary>{say("Details")}</summary>
          <dl class="stack gap-4 border-top gateway-facts">
            <div>
              <dt>{say("Permissions")}</dt>
              <dd>
                {scopes === null
                  ? missingText(isConnecting)
                  : scopes.length === 0
                    ? say("none yet")
                    : scopes.map((scope) => SCOPES[scope] ?? scope).join(", ")}
              </dd>
            </div>
            <div>
              <dt>{say("Protocol")}</dt>
              <dd>{hello.value === null ? missingText(isConnecting) : hello.value.protocol}</dd>
            </div>
            <div>
              <dt>{say("Time zone")}</dt>
              <dd>{facts?.timezone ?? missingText(isReading(server.value))}</dd>
            </div>
            <div>
              <dt>{say("Console uptime")}</dt>
              <dd>
                {consoleSince === null ? missingText(isReading(health.value)) : duration(now.value - consoleSince)}
              </dd>
            </div>
          </dl>
        </details>
      </div>
      {command !== null && (
        <div class="gateway-card pairing-steps">
          <h3>{say("Approve this console")}</h3>
          <p>{approvalSteps(requestId)}</p>
          <CommandLine command={command} label={say("Copy command")} />
        </div>
      )}
      {checkup !== null && checkup.database !== null && (
        <p class="row wrap gap-3 small stale-note" role="status">
          {say("The board's file {database}.", { database: checkup.database })}
        </p>
      )}
      <div class="stack gap-4 gateway-more">
        <VersionCard />
        <ModelList />
      </div>
    </section>
  )
})
