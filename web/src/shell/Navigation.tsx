import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { SCREENS, screenPath } from "../base/screens.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { SCREEN_ICONS } from "./screenIcons.ts"

/** Links to the other screens. */
export const Navigation = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const waiting = useReadable(app.client.inbox.open)
  const count = waiting.value.length
  const settings = useReadable(app.client.settings.state)
  const isRail = settings.value.sidebar === "collapsed"
  const current = matchRoute(location.value).screen
  return (
    <nav class="navigation" aria-label={say("Screens")}>
      {SCREENS.map((screen) => {
        const icon = SCREEN_ICONS[screen.name]
        return (
          <a
            key={screen.name}
            href={screenPath(screen)}
            title={isRail ? screen.label : ""}
            data-screen={screen.name}
            aria-current={screen.name === current?.name ? "page" : undefined}
          >
            <Icon name={icon} />
            <span>{screen.label}</span>
            {screen.name === "inbox" && count > 0 && <span class="count is-waiting">{count}</span>}
          </a>
        )
      })}
    </nav>
  )
})
