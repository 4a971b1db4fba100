import type { AppServices } from "../base/AppContext.ts"
import { ownName } from "../core/common/basePath.ts"
import { DRAFTS_KEY, draftsIn } from "../core/composer/DraftStore.ts"
import { createDraftSync, type DraftSync } from "../core/composer/DraftSync.ts"
import { uuid } from "../core/link/browserEnvironment.ts"
import { DRAFT_EVENT } from "./chatRequest.ts"

const BROWSER_KEY = "agent-console:draft-browser"
const page = uuid().slice(0, 8)

/** This page as the server's drafts know it: its browser and, behind a dot, itself. */
const deviceId = ({ client }: AppServices): string => {
  const known = client.storage.getItem(BROWSER_KEY)
  const browser = known ?? uuid()
  try {
    if (known === null) client.storage.setItem(BROWSER_KEY, browser)
  } catch {
    // Without room, the next page of this browser counts as another device.
  }
  return `${browser}.${page}`
}

/**
 * Takes over what another tab has written for other sessions: whichever tab saves next saves the drafts of all. One that
 * isn't there any more had no room; what was emptied is there as an empty text.
 */
const followTabs = ({ client }: AppServices, sessionKey: string): (() => void) => {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== ownName(DRAFTS_KEY)) return
    for (const [other, text] of draftsIn(newValue)) if (other !== sessionKey) client.drafts.set(other, text)
  }
  window.addEventListener("storage", onStorage)
  return () => window.removeEventListener("storage", onStorage)
}

/** Keeps the composer's text the same on all devices, until the returned function is called. */
export const followDraft = (
  app: AppServices,
  sessionKey: string,
  area: HTMLTextAreaElement,
  isEditing: () => boolean
): { readonly sync: DraftSync; readonly stop: () => void } => {
  const { api, drafts, events, storage } = app.client
  let isWriting = false
  const show = (text: string) => {
    drafts.set(sessionKey, text)
    area.dispatchEvent(new CustomEvent(DRAFT_EVENT, { detail: text }))
  }
  const field = { show, isHeld: () => isWriting || isEditing() }
  const sync = createDraftSync({
    api,
    events,
    drafts,
    storage,
    sessionKey,
    deviceId: deviceId(app),
    field,
    now: () => Date.now()
  })
  const onComposition = ({ type }: CompositionEvent) => {
    isWriting = type === "compositionstart"
  }
  const onLeave = () => sync.flush()
  const onHide = () => {
    if (document.hidden) sync.flush()
  }
  area.addEventListener("compositionstart", onComposition)
  area.addEventListener("compositionend", onComposition)
  area.addEventListener("blur", onLeave)
  window.addEventListener("pagehide", onLeave)
  document.addEventListener("visibilitychange", onHide)
  const leaveTabs = followTabs(app, sessionKey)
  return {
    sync,
    stop: () => {
      area.removeEventListener("compositionstart", onComposition)
      area.removeEventListener("compositionend", onComposition)
      area.removeEventListener("blur", onLeave)
      window.removeEventListener("pagehide", onLeave)
      document.removeEventListener("visibilitychange", onHide)
      leaveTabs()
      sync.dispose()
    }
  }
}
