import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { CronsView } from "./crons/CronsView.tsx"
import { GatewayView } from "./gateway/GatewayView.tsx"
import { SkillsView } from "./skills/SkillsView.tsx"
import { UsageView } from "./usage/UsageView.tsx"
import "./operations.css"

const TABS = [
  { href: "/operations/crons", label: "Scheduled jobs" },
  { href: "/operations/skills", label: "Skills" },
  { href: "/operations/usage", label: "Usage" },
  { href: "/operations/gateway", label: "Gateway" }
]

/** What runs on a schedule, what the agents can do, what they used, and the gateway's state. */
export const OperationsScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const [place = "crons", item] = matchRoute(location.value).segments
  return (
    <>
      <ScreenHead title="Operations" />
      <Tabs label="Operations" tabs={TABS} current={`/operations/${place}`} />
      <div class="screen-body operations">
        {place === "crons" && <CronsView open={item ?? null} />}
        {place === "skills" && <SkillsView />}
        {place === "usage" && <UsageView />}
        {place === "gateway" && <GatewayView />}
        {!TABS.some(({ href }) => href.endsWith(`/${place}`)) && (
          <EmptyState icon="search" title="Page not found" text="Choose one of the pages above." />
        )}
      </div>
    </>
  )
})
