import { component$, useContextProvider } from "@builder.io/qwik"
import { AppContext, type AppServices, type Overlay } from "../src/base/AppContext.ts"
import { createNotices } from "../src/base/Notices.ts"
import { createRouter } from "../src/base/Router.ts"
import { createClient } from "../src/core/client/createClient.ts"
import { createCommandRegistry } from "../src/core/commands/CommandRegistry.ts"
import { createObservable } from "../src/core/common/Observable.ts"
import { browserEnvironment } from "../src/core/link/browserEnvironment.ts"
import { InteractivePieces } from "./InteractivePieces.tsx"
import { StillPieces } from "./StillPieces.tsx"
import "./pieces.css"

/** What pieces ask for; never started, so nothing is connected. */
const services: AppServices = {
  client: createClient(browserEnvironment()),
  router: createRouter(),
  notices: createNotices(),
  commands: createCommandRegistry(),
  overlay: createObservable<Overlay>(null)
}

/** Every piece the screens are made of, in every state: for developers, and for the tests of their looks. */
export const Pieces = component$(() => {
  useContextProvider(AppContext, services)
  return (
    <main class="screen-body pieces">
      <h1>Pieces</h1>
      <StillPieces />
      <InteractivePieces />
    </main>
  )
})
