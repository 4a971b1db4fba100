/** How long a finger rests for a menu, as for those that browsers have. */
const LONG_MS = 500
/** How far it may slip meanwhile, in pixels. */
const SLIP = 10

/** Opens the menu of the session that a finger rests on, as soon as it's lifted: earlier, that would close it again. */
export const pressSession = (start: TouchEvent): void => {
  const link = start.target instanceof Element ? start.target.closest<HTMLElement>("a[data-session]") : null
  const menu = link?.parentElement?.querySelector<HTMLElement>("[data-session-menu]")
  const [finger] = start.touches
  if (link === null || menu == null || finger === undefined || start.touches.length > 1) return
  const over = new AbortController()
  const { signal } = over
  let isLong = false
  const timer = setTimeout(() => {
    isLong = true
  }, LONG_MS)
  const end = () => {
    clearTimeout(timer)
    over.abort()
  }
  const keep = (event: Event) => event.preventDefault()
  // The browser's own menu, and dragging the link.
  link.addEventListener("contextmenu", keep, { signal })
  link.addEventListener("dragstart", keep, { signal })
  link.addEventListener("touchcancel", end, { signal })
  link.addEventListener(
    "touchmove",
    ({ touches: [now] }) => {
      if (now === undefined || Math.hypot(now.clientX - finger.clientX, now.clientY - finger.clientY) > SLIP) end()
    },
    { signal, passive: true }
  )
  link.addEventListener(
    "touchend",
    (event) => {
      end()
      if (!isLong) return
      // No click follows, which would open the session.
      event.preventDefault()
      menu.click()
    },
    { signal }
  )
}
