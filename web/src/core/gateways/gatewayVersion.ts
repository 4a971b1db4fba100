import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Readable } from "../common/Observable.ts"

/** What a client knows of its gateways. */
interface Links {
  readonly gateways: Readable<ReadonlyArray<{ readonly id: string }> | null>
  linkOf(sessionKey: string): { readonly hello: Readable<{ readonly serverVersion: string } | null> }
}

/** The version that a gateway says it is; empty while the page has no link to it. */
export const gatewayVersion = (client: Links, gatewayId: string): Readable<string> => {
  // An added gateway's link may come later than its items, and the primary one's stands in for it until then.
  const hello = () =>
    gatewayId === PRIMARY || client.gateways.get()?.some(({ id }) => id === gatewayId) === true
      ? client.linkOf(qualifiedKey(gatewayId, "")).hello
      : null
  const get = () => hello()?.get()?.serverVersion ?? ""
  return {
    get,
    subscribe: (listener) => {
      const notify = () => listener(get())
      let stop = hello()?.subscribe(notify)
      const stopGateways = client.gateways.subscribe(() => {
        stop?.()
        stop = hello()?.subscribe(notify)
        notify()
      })
      return () => {
        stopGateways()
        stop?.()
      }
    }
  }
}
