import { component$, useConstant, useContextProvider } from "@builder.io/qwik"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { AppContext, useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { clientAt } from "../core/client/clientAt.ts"
import { below } from "../core/common/basePath.ts"
import { createObservable } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"
import type { GatewayName } from "../core/link/apiTypes.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Select } from "../ui/Select.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { CronsView } from "./crons/CronsView.tsx"
import { GatewayView } from "./gateway/GatewayView.tsx"
import { LogView } from "./LogView.tsx"
import { SkillsView } from "./skills/SkillsView.tsx"
import { UsageView } from "./usage/UsageView.tsx"
import "./operations.css"

const TABS = [
  { href: below("/operations/crons"), label: say("Scheduled jobs") },
  { href: below("/operations/skills"), label: say("Skills") },
  { href: below("/operations/usage"), label: say("Usage") },
  { href: below("/operations/gateway"), label: say("Gateway") },
  { href: below("/operations/log"), label: say("Agent log") }
]

/** The gateway that was chosen last on this page; empty for none. */
const chosenGateway = createObservable("")

interface GatewayChoiceProps {
  readonly gateways: ReadonlyArray<GatewayName>
  /** All of them together can be chosen too. */
  readonly all: boolean
  /** Empty for all. */
  readonly chosen: string
}

/** Which gateway a place is about. */
const GatewayChoice = component$<GatewayChoiceProps>((props) => {
  const { router } = useServices()
  const gateways = props.gateways.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div class="row gap-3 operations-gateway">
      <label for="operations-gateway">{say("Gateway")}</label>
      <Select
        id="operations-gateway"
        value={props.chosen}
        options={props.all ? [{ value: "", label: say("All gateways") }, ...gateways] : gateways}
        onChange$={(id) => {
          chosenGateway.set(id)
          router.navigate(router.location.get().pathname, { replace: true })
        }}
      />
    </div>
  )
})

interface PlaceProps {
  readonly place: string
  readonly item: string | null
  /** Empty for all, or for the only one. */
  readonly gatewayId: string
}

/** One of the pages, about one gateway. */
const Place = component$<PlaceProps>((props) => {
  const app = useServices()
  const { gatewayId, item, place } = props
  useContextProvider(
    AppContext,
    useConstant(() => (gatewayId === "" ? app : { ...app, client: clientAt(app.client, gatewayId) }))
  )
  return (
    <>
      {place === "crons" && <CronsView open={item} />}
      {place === "skills" && <SkillsView />}
      {place === "usage" && <UsageView />}
      {place === "gateway" && <GatewayView gatewayId={gatewayId} />}
      {place === "log" && <LogView />}
    </>
  )
})

/** What runs on a schedule, what the agents can do, used and reported, and the gateway's state. */
export const OperationsScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const { segments, query } = matchRoute(location.value)
  const [place = "crons", item] = segments
  const named = query.get("gateway")
  const gateways = useReadable(app.client.gateways)
  const chosen = useReadable(chosenGateway)
  const all = gateways.value ?? []
  const wanted = named ?? chosen.value
  const known = all.some(({ id }) => id === wanted) ? wanted : ""
  // All gateways share one log; the usage is that of all gateways unless one is chosen; everything else is about one.
  const isOfOne = place !== "log" && place !== "usage"
  const which = place === "log" ? "" : all.length > 1 && known === "" && isOfOne ? PRIMARY : known
  useBrowserTask$(({ track }) => {
    // The gateway that a link names is the chosen one for the other pages, too.
    const id = matchRoute(track(() => location.value)).query.get("gateway")
    if (id !== null) chosenGateway.set(id)
  })
  return (
    <>
      <ScreenHead title={say("Operations")}>
        <Tabs label={say("Operations")} tabs={TABS} current={below(`/operations/${place}`)} />
      </ScreenHead>
      <div class="screen-body operations">
        {all.length > 1 && place !== "log" && <GatewayChoice gateways={all} all={place === "usage"} chosen={which} />}
        <Place key={`${place} ${which}`} place={place} item={item ?? null} gatewayId={which} />
        {!TABS.some(({ href }) => href.endsWith(`/${place}`)) && (
          <ErrorState
            isMissing
            title={say("There's no page at this address.")}
            action={say("Scheduled jobs")}
            href={below("/operations")}
          />
        )}
      </div>
    </>
  )
})
