import { say } from "../core/language/say.ts"
import type { AppServices } from "./AppContext.ts"
import { pathSegment } from "./routes.ts"

/** Opens what waits for a person: the item after the open one, or the most urgent, round and round. */
export const nextWaiting = ({ client, notices, router }: AppServices): void => {
  const paths = client.inbox.open.get().map(({ id }) => `/inbox/${pathSegment(id)}`)
  const next = paths[(paths.indexOf(router.location.get().pathname) + 1) % paths.length]
  if (next === undefined) notices.show("info", say("Nothing waits for you."))
  else router.navigate(next)
}
