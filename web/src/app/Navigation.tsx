import { component$ } from "@builder.io/qwik"
import { Icon } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { matchRoute, NAVIGATION } from "./routes.ts"
import { useReadable } from "./useReadable.ts"

/** The way to the other screens; left out while there is only one. */
export const Navigation = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  if (NAVIGATION.length < 2) return null
  const screen = matchRoute(location.value.pathname).screen
  return (
    <nav class="navigation" aria-label="Screens">
      {NAVIGATION.map(({ screen: name, href, label, icon }) => (
        <a key={name} href={href} aria-current={name === screen ? "page" : undefined}>
          <Icon name={icon} />
          <span>{label}</span>
        </a>
      ))}
    </nav>
  )
})
