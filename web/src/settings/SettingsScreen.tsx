import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { LazyPart } from "../ui/LazyPart.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { SECTIONS, sectionPath } from "./sections.ts"
import "./settings.css"
import { say } from "../core/language/say.ts"

const TABS = SECTIONS.map((section) => ({ href: sectionPath(section.name), label: section.label }))

/** What a person can choose in this browser, and the console's state. */
export const SettingsScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const name = matchRoute(location.value).segments[0] ?? SECTIONS[0]?.name ?? ""
  const section = SECTIONS.find((candidate) => candidate.name === name)
  const current = sectionPath(name)
  const load = section?.load
  return (
    <>
      <ScreenHead title={say("Settings")}>
        <Tabs label={say("Settings")} tabs={TABS} current={current} />
      </ScreenHead>
      <div class="screen-body settings">
        {load === undefined ? (
          <EmptyState icon="settings" title={say("Page not found")} text={say("Choose one of the pages above.")} />
        ) : (
          <LazyPart key={name} load={load} />
        )}
      </div>
    </>
  )
})
