import type { AppServices } from "./ConsoleContext.ts"

/** Has the parts that call for attention loaded, and at work, while a setting asks for them. */
export const followAttention = (app: AppServices): void => {
  let stop: (() => void) | null = null
  let wanted = false
  const follow = async () => {
    const { notifications, sound } = app.console.settings.state.get()
    const now = notifications === "on" || sound === "on"
    if (now === wanted) return
    wanted = now
    stop?.()
    stop = null
    if (!now) return
    const attention = await import("../attention/callAttention.ts").catch(() => null)
    // It may have been switched off, or off and on, while the chunk was on its way.
    if (wanted && stop === null) stop = attention?.callAttention(app) ?? null
  }
  app.console.settings.state.subscribe(() => void follow())
  void follow()
}
