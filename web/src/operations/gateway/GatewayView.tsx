import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useCommands } from "../../base/useCommands.ts"
import { useReadable } from "../../base/useReadable.ts"
import { approvalSteps, commandToRun } from "../../connection/connectionText.ts"
import { below } from "../../core/common/basePath.ts"
import { clockTime, duration } from "../../core/common/timeText.ts"
import { socketAddress } from "../../core/gateways/gatewayText.ts"
import { say } from "../../core/language/say.ts"
import { pendingRequest } from "../../core/link/gatewayStatus.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { gatewayView, isFirstTry, median, reasonParts, updateNews } from "../../core/operations/gatewayFacts.ts"
import { CommandLine } from "../../ui/CommandLine.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { copyText } from "../../ui/copyText.ts"
import { Icon } from "../../ui/Icon.tsx"
import { useNow } from "../../ui/useNow.ts"
import { StaleNote, useQuery } from "../StaleNote.tsx"
import "../../ui/fold.css"
import "./gateway.css"

const COMMAND = "agent-console update"

/** The console's version, whether there is a newer one, and how to get it. */
const VersionCard = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.client).update)
  const state = useQuery(query)
  const asking = useSignal(false)
  const { value, problem } = state.value
  const retry = $(async () => {
    asking.value = true
    await query.refresh()
    asking.value = false
  })
  const reason = value?.latest === null && value.reason !== null ? reasonParts(value.reason) : null
  const remedy = reason === null ? null : reason.command
  // A copy without a source of updates isn't a failure: there is nothing to try again.
  const hasFailed = value?.latest === null && value.canInstall
  return (
    <article class={["gateway-card", "version", value?.isNewer === true && "is-news"]} data-version={value?.current}>
      <div class="gateway-title">
        <h3>Agent Console</h3>
        {value !== null && <span class="muted">{say("Version {current}", { current: value.current })}</span>}
        {value?.isNewer === true && <span class="badge is-good">{say("Update")}</span>}
      </div>
      {value === null && problem === null && <p class="muted">{say("Checking the version…")}</p>}
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value !== null && (
        <>
          <div class="row wrap gap-3 version-news">
            <p class={[hasFailed && "is-unknown", !value.isNewer && "muted"]}>
              {hasFailed && <Icon name="triangle-alert" />}
              <span>{updateNews(value)}</span>
            </p>
            {hasFailed && (
              <button type="button" class="button is-small" disabled={asking.value} onClick$={retry}>
                {asking.value ? say("Checking…") : say("Try again")}
              </button>
            )}
          </div>
          {value.canInstall && <CommandLine command={COMMAND} label={say("Copy update command")} />}
          {reason !== null && (
            <details class="fold">
              <summary>
                {remedy === null ? say("Details") : hasFailed ? say("How to fix") : say("How to turn them on")}
              </summary>
              <p class="soft small version-reason">{reason.text}</p>
              {remedy !== null && <CommandLine command={remedy} label={say("Copy command")} />}
            </details>
          )}
        </>
      )}
    </article>
  )
})

/** An id in its parts, each with the slash after it, so that a line breaks between them. */
const idParts = (id: string): ReadonlyArray<string> => id.split(/(?<=\/)/)

/** The models the gateway offers. */
const ModelList = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.client).models)
  const state = useQuery(query)
  const { value, problem } = state.value
  const retry = $(() => query.refresh())
  return (
    <article class="gateway-card models">
      <div class="gateway-title">
        <h3>{say("Models")}</h3>
        {value !== null && value.length > 0 && <span class="muted">{value.length}</span>}
      </div>
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <p class="muted">{say("Loading models…")}</p>}
      {value?.length === 0 && <p class="muted">{say("No models. Set up a provider on the gateway.")}</p>}
      {value !== null && value.length > 0 && (
        <ul class="plain-list model-rows">
          {value.map(({ id, label, provider }) => (
            <li key={id}>
              <span class="model-title">{label}</span>
              {label !== id && (
                <code>
                  {idParts(id).map((part, index) => (
                    <span key={index}>
                      <span>{part}</span>
                      <wbr />
                    </span>
                  ))}
                </code>
              )}
              {/* Most ids begin with it. */}
              {!id.startsWith(`${provider}/`) && <span class="muted">{provider}</span>}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
})

const SCOPES: Readonly<Record<string, string>> = {
  "operator.admin": "admin",
  "operator.read": "read",
  "operator.write": "write",
  "operator.approvals": "approvals",
  "operator.pairing": "devices"
}

/** The placeholder of a fact that is unknown or still loading. */
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
  const gatewayStatus = useReadable(app.client.gatewayStatus)
  const health = useQuery(store.health)
  const server = useQuery(store.server)
  const gateways = useQuery(store.gateways)
  const latencies = useReadable(store.latencies)
  const now = useNow(1_000)
  useBrowserTask$(({ cleanup }) => cleanup(store.followLatency()))

  const checkup = health.value.value
  const facts = server.value.value
  const addressNow = () => {
    const primary = gateways.value.value?.find(({ id, isPrimary }) =>
      props.gatewayId === "" ? isPrimary : id === props.gatewayId
    )
    return primary === undefined ? null : socketAddress(primary.url)
  }
  const address = addressNow()
  const serverState = gatewayStatus.value ?? (checkup === null ? null : { gateway: checkup.gateway, reason: null })
  const view = gatewayView(link.value, serverState)
  const requestId = pendingRequest(link.value, gatewayStatus.value)
  const command = commandToRun(link.value, gatewayStatus.value)
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
        run: () => app.router.navigate(below("/settings/gateways"))
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
              {gatewayStatus.value !== null && (
                <span class="muted">
                  {say("Since {since}", { since: clockTime(gatewayStatus.value.since, now.value) })}
                </span>
              )}
            </p>
            {view.detail !== null && <p class="small">{view.detail}</p>}
          </div>
          <div class="wrap gap-2 gateway-buttons">
            <a class="button is-small" href={below("/settings/gateways")}>
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
