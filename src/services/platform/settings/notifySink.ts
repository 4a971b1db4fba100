/** Where the settings have items sent besides the devices. */
export type NotifySink =
  | { readonly type: "webhook"; readonly url: string }
  | { readonly type: "ntfy"; readonly origin: string; readonly topic: string }

const TOPIC = /^\/([\w-]{1,64})$/

/**
 * Reads `NOTIFY_URL`: `https://…` or `http://…` is a webhook, `ntfy://host/topic` a topic of ntfy over HTTPS, and
 * `ntfy+http://host/topic` one over HTTP. `undefined` if it's none of them.
 */
export const readNotifyUrl = (text: string): NotifySink | undefined => {
  if (/^https?:/i.test(text)) return URL.canParse(text) ? { type: "webhook", url: new URL(text).href } : undefined
  const address = text.replace(/^ntfy:/i, "https:").replace(/^ntfy\+http:/i, "http:")
  if (address === text || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  const topic = TOPIC.exec(pathname)?.[1]
  return topic === undefined ? undefined : { type: "ntfy", origin, topic }
}
