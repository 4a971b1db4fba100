import type { CDPSession } from "playwright-core"
import { converse, openChat } from "./chatPage.ts"
import type { Desk } from "./startDesk.ts"

/** The page's memory after a full collection. */
export interface Held {
  readonly messages: number
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
}

const held = async (cdp: CDPSession, messages: number): Promise<Held> => {
  await cdp.send("HeapProfiler.collectGarbage")
  await cdp.send("HeapProfiler.collectGarbage")
  const { usedSize } = await cdp.send("Runtime.getHeapUsage")
  const { nodes, jsEventListeners } = await cdp.send("Memory.getDOMCounters")
  return { messages, heapBytes: usedSize, nodes, listeners: jsEventListeners }
}

/** Streams that many answers into one open session and reports the page's memory along the way. */
export const measureMemory = async (desk: Desk, answers: number, tell: (state: Held) => void): Promise<void> => {
  const { page, cdp, close } = await desk.open()
  await openChat(page, desk.url)
  tell(await held(cdp, 0))
  const every = Math.max(1, Math.round(answers / 6))
  for (let index = 1; index <= answers; index++) {
    await converse(page, `message ${index} of many`)
    if (index % every === 0 || index === answers) tell(await held(cdp, index))
  }
  await close()
}
