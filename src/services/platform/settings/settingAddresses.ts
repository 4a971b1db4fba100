/** The recipient of inbox items besides the devices. */
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

const SCHEMES = /^https?:$/

/**
 * An entry of `ALLOWED_ORIGINS` as browsers send it: scheme, host and port. `undefined` for values that no browser sends,
 * such as a name alone or a pattern.
 */
export const normaliseOrigin = (entry: string): string | undefined => {
  if (!URL.canParse(entry)) return undefined
  const { hostname, origin, protocol } = new URL(entry)
  return SCHEMES.test(protocol) && !hostname.includes("*") ? origin : undefined
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Reads an origin of `PUSH_ALLOWED_ORIGINS`: `https`, or `http` on this machine, where nobody can eavesdrop.
 * `undefined` for anything else.
 */
export const pushOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { hostname, origin, pathname, protocol, search } = new URL(text)
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))
  return isSafe && pathname === "/" && search === "" ? origin : undefined
}
