import type { BrowserPush, PushObstacle } from "./BrowserPush.ts"

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

/** This page's browser. */
export const pageBrowserPush: BrowserPush = {
  obstacle,
  askPermission: async () => (await Notification.requestPermission()) === "granted",
  isSubscribed: async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    return worker !== undefined && (await worker.pushManager.getSubscription()) !== null
  },
  subscribe: async (publicKey) => {
    const push = await manager()
    const before = await push.getSubscription()
    const key = before?.options.applicationServerKey ?? null
    // A browser keeps to the key it began with, and the console's may have been replaced.
    if (before !== null && key !== null && base64url(key) !== publicKey) await before.unsubscribe()
    const subscription = await push.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const { endpoint, keys } = subscription.toJSON()
    return { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } }
  },
  unsubscribe: async () => {
    await (await (await manager()).getSubscription())?.unsubscribe()
  }
}
