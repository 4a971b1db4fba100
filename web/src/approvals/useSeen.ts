import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

/** Between two looks at what is on the screen. */
const LOOK_MS = 1_000

/** The items of which something can be seen. */
const itemsInView = (): ReadonlyArray<string> =>
  [...document.querySelectorAll<HTMLElement>("[data-inbox-item]")].flatMap((element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    const id = element.dataset.inboxItem
    return id !== undefined && height > 0 && bottom > 0 && top < window.innerHeight ? [id] : []
  })

/** Tells the server which items a person is looking at while the component is shown, so that no device rings for them. */
export const useSeen = (): void => {
  const app = useServices()
  useBrowserTask$(({ cleanup }) => {
    const look = async () => {
      if (document.visibilityState !== "visible") return
      const ids = itemsInView()
      if (ids.length > 0) (await app.client.inbox.load()).seen(ids)
    }
    const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
    cleanup(() => clearInterval(timer))
  })
}
