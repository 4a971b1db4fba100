import { component$, useContextProvider, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { matchRoute } from "../app/routes.ts"
import { useReadable } from "../app/useReadable.ts"
import { loadMarkdown } from "../core/loadMarkdown.ts"
import type { MarkdownRenderer } from "../core/textTypes.ts"
import { ChatPane } from "./ChatPane.tsx"
import { MarkdownContext } from "./MarkdownContext.ts"
import "./chat.css"
import "./markdown.css"

/** The conversation of the session the address names, else of the session used last. */
export const ChatScreen = component$(() => {
  const app = useServices()
  const renderer = useSignal<MarkdownRenderer | null>(null)
  useContextProvider(MarkdownContext, renderer)
  const location = useReadable(app.router.location)
  const activeKey = useReadable(app.console.sessions.activeKey)

  useVisibleTask$(
    () => {
      loadMarkdown().then(
        (loaded) => {
          renderer.value = loaded
        },
        () => app.notices.show("error", "Formatting could not be loaded. Reload the page to see it.")
      )
    },
    { strategy: "document-ready" }
  )

  const route = matchRoute(location.value.pathname)
  const sessionKey = (route.screen === "chat" ? route.sessionKey : null) ?? activeKey.value
  return <ChatPane key={sessionKey} sessionKey={sessionKey} />
})
