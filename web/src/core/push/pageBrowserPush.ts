import { say } from "../language/say.ts"
import type { BrowserPush, BrowserSubscription, PushObstacle } from "./pushTypes.ts"

/** Whether Safari on a phone or tablet shows the page in a tab, where it has no notifications. */
const isTabOnApplePhone = (): boolean => {
  const { userAgent, maxTouchPoints } = navigator
  // An iPad calls itself a Mac.
  const isApplePhone =
    /\b(iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1)
  return isApplePhone && !window.matchMedia("(display-mode: standalone)").matches
}

const obstacle = (): PushObstacle | null => {
  if (!window.isSecureContext) return "insecure"
  const isThere = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window
  if (!isThere) return isTabOnApplePhone() ? "homeScreen" : "missing"
  return Notification.permission === "denied" ? "denied" : null
}

const manager = async (): Promise<PushManager> => (await navigator.serviceWorker.ready).pushManager

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")

const addressOf = (subscription: PushSubscription): BrowserSubscription => {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } }
}

const keyOf = ({ options }: PushSubscription): string | null =>
  options.applicationServerKey === null ? null : base64url(options.applicationServerKey)

/** This page's browser. */
export const pageBrowserPush: BrowserPush = {
  obstacle,
  askPermission: async () => (await Notification.requestPermission()) === "granted",
  current: async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    const subscription = (await worker?.pushManager.getSubscription()) ?? null
    return subscription && { ...addressOf(subscription), publicKey: keyOf(subscription) }
  },
  subscribe: async (publicKey) => {
    const push = await manager()
    const before = await push.getSubscription()
    const key = before && keyOf(before)
    // A browser keeps to the key it began with, and the console's may have been replaced.
    if (key !== null && key !== publicKey) await before?.unsubscribe()
    return addressOf(await push.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  },
  unsubscribe: async () => {
    await (await (await manager()).getSubscription())?.unsubscribe()
  }
}

const BROWSERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const SYSTEMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"]
]

const nameIn = (names: ReadonlyArray<readonly [RegExp, string]>, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** What people call a browser by its user agent, such as "Chrome on Android". */
export const browserName = (userAgent: string): string => {
  const browser = nameIn(BROWSERS, userAgent) ?? say("Browser")
  const system = nameIn(SYSTEMS, userAgent)
  return system === undefined ? browser : say("{browser} on {system}", { browser, system })
}
