import type { AppServices } from "../base/AppContext.ts"

/** Loads and runs the notification parts while a setting asks for them. */
export const followAttention = (app: AppServices): void => {
  let stop: (() => void) | null = null
  let wanted = false
  const follow = async () => {
    const { notifications, sound } = app.client.settings.state.get()
    const now = notifications === "on" || sound === "on"
    if (now === wanted) return
    wanted = now
    stop?.()
    stop = null
    if (!now) return
    const attention = await import("../base/attention/callAttention.ts").catch(() => null)
    // It may have been switched off, or off and on, while the chunk was loading.
    if (wanted && stop === null) stop = attention?.callAttention(app) ?? null
  }
  app.client.settings.state.subscribe(() => void follow())
  void follow()
}
