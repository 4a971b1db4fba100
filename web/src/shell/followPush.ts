import type { AppServices } from "../base/AppContext.ts"
import { lastingStorage } from "../core/link/browserEnvironment.ts"
import { PUSH_DEVICE } from "../core/push/pushDeviceKey.ts"

/**
 * Looks once, signed in, whether the console still reaches this browser: browsers change their addresses while nobody is
 * signed in, and the console's key may have been replaced.
 */
export const followPush = (app: AppServices): void => {
  let hasLooked = false
  const look = async () => {
    if (hasLooked || app.client.link.hello.get() === null || lastingStorage().getItem(PUSH_DEVICE) === null) return
    hasLooked = true
    const parts = await Promise.all([
      import("../core/push/PushStore.ts"),
      import("../core/push/pageBrowserPush.ts")
    ]).catch(() => null)
    if (parts === null) return
    const [{ createPushStore }, { pageBrowserPush }] = parts
    await createPushStore(app.client.api, pageBrowserPush, lastingStorage()).load()
  }
  app.client.link.hello.subscribe(() => void look())
  void look()
}
