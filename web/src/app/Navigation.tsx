import { component$ } from "@builder.io/qwik"
import { Icon } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { matchRoute } from "./routes.ts"
import { SCREENS, screenPath } from "./screens.ts"
import { useReadable } from "./useReadable.ts"

/** The way to the other screens; left out while there is only one. */
export const Navigation = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  if (SCREENS.length < 2) return null
  const current = matchRoute(location.value).screen
  return (
    <nav class="navigation" aria-label="Screens">
      {SCREENS.map((screen) => {
        const icon = screen.icon
        return (
          <a
            key={screen.name}
            href={screenPath(screen)}
            data-screen={screen.name}
            aria-current={screen === current ? "page" : undefined}
          >
            <Icon name={icon} />
            <span>{screen.label}</span>
          </a>
        )
      })}
    </nav>
  )
})
