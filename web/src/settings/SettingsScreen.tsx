import { type Component, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { LOADS_LATER } from "../base/followPart.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useMedia } from "../base/useMedia.ts"
import { usePart } from "../base/usePart.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { SettingsFound, SettingsSearch } from "./SettingsSearch.tsx"
import { SECTION_GROUPS, SECTIONS, sectionPath } from "./sections.tsx"
import { showSetting } from "./showSetting.ts"
import "./settings.css"

/** A page with its own chunk; `load` stays the same for the life of the page. */
const LazyPage = component$<{ readonly load: () => Promise<Component> }>((props) => {
  const arriving = usePart(async () => ({ Part: await props.load() }))
  const { part, failed } = arriving.value
  if (failed) return <ErrorState title={say("Couldn't load this")} text={LOADS_LATER} />
  return part === null ? <LoadingState label={say("Loading…")} /> : <part.Part />
})

/** All pages of the settings and a search over them: beside the current one, or on a screen of their own, each with what is on it. */
const SettingsPages = component$<{ readonly current: string | null }>((props) => {
  const words = useSignal("")
  const isSearching = words.value.trim() !== ""
  return (
    <nav class={["stack gap-4 settings-pages", props.current !== null && "is-column"]} aria-label={say("Settings")}>
      <SettingsSearch words={words} />
      {isSearching && <SettingsFound words={words.value} />}
      {!isSearching &&
        SECTION_GROUPS.map((group, index) => (
          <div key={index}>
            {group.map(({ about, label, name }) => (
              <a
                key={name}
                class="row plain-link space-between gap-3 settings-link"
                href={sectionPath(name)}
                aria-current={name === props.current ? "page" : undefined}
              >
                <span class="stack can-shrink break-words">
                  <span class="settings-name">{label}</span>
                  {props.current === null && <span class="settings-note">{about}</span>}
                </span>
                {props.current === null && <Icon name="chevron-right" />}
              </a>
            ))}
          </div>
        ))}
    </nav>
  )
})

/** Where the list of pages has no room beside a page. */
const NARROW = "(max-width: 1000px)"

/** What a person can choose in this browser, and the console's state; on a phone the list of pages first, then a page. */
export const SettingsScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const isNarrow = useMedia(NARROW)

  useBrowserTask$(({ track }) => {
    const setting = matchRoute(track(() => location.value)).query.get("setting")
    if (setting !== null) showSetting(setting)
  })
  // What was pressed to come here is gone then, and the focus with it.
  useBrowserTask$(({ track }) => {
    track(() => location.value.pathname)
    afterFrames(2, () => {
      if (isNarrow.value && document.activeElement === document.body)
        document.querySelector<HTMLElement>("#main h1")?.focus({ preventScroll: true })
    })
  })

  const asked = matchRoute(location.value).segments[0]
  const name = asked ?? SECTIONS[0]?.name ?? ""
  const section = SECTIONS.find((candidate) => candidate.name === name)
  const load = section?.load
  const isList = isNarrow.value && asked === undefined
  return (
    <>
      <ScreenHead title={isNarrow.value && !isList ? (section?.label ?? say("Settings")) : say("Settings")}>
        {isNarrow.value && !isList && (
          <a class="back-link settings-back" href={below("/settings")}>
            <Icon name="arrow-left" />
            <span>{say("All settings")}</span>
          </a>
        )}
      </ScreenHead>
      <div class="settings-split">
        {!isNarrow.value && <SettingsPages current={name} />}
        <div key={isList ? "" : name} class="screen-body settings">
          {!isNarrow.value && section !== undefined && (
            <div class="settings-title">
              <h2>{section.label}</h2>
              <p class="settings-note">{section.about}</p>
            </div>
          )}
          {isList ? (
            <SettingsPages current={null} />
          ) : load === undefined ? (
            <ErrorState
              isMissing
              title={say("There's no page at this address.")}
              action={say("All settings")}
              href={below("/settings")}
            />
          ) : (
            <LazyPage key={name} load={load} />
          )}
        </div>
      </div>
    </>
  )
})
