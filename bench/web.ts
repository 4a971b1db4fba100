import type { DemoAgent } from "../practice-gateway/src/demo/steps.ts"
import { kilobytes, median, megabytes, motionText } from "./web/figures.ts"
import { measureBoard, measureColumn } from "./web/measureBoard.ts"
import { type Load, measureLoad } from "./web/measureLoad.ts"
import { measureMemory } from "./web/measureMemory.ts"
import { fillBoard, measureDragging, measureStreaming } from "./web/measureMotion.ts"
import { startDesk } from "./web/startDesk.ts"

const VISITS = 7
/** One answer every six seconds for an hour. */
const AN_HOUR = 600
/** A piece of text per screen frame. */
const STREAM_MS = 16

const PARAGRAPH =
  "The **lighthouse** at the cape has kept its rhythm for a hundred years: `two short, one long`, as the [list](https://example.com) of lights says.\n\n"
const BLOCK = `## A chapter\n\n${PARAGRAPH}- a point\n- another point\n\n| Light | Reach |\n|---|---|\n| Cape | 20 miles |\n\n`

/** Streams eight chapters at sixty pieces a second on request, and answers everything else at once. */
const agent: DemoAgent = ({ text }) =>
  text === "stream"
    ? [{ type: "text", text: BLOCK.repeat(8), tokenMs: STREAM_MS }]
    : [{ type: "text", text: BLOCK, tokenMs: 0 }]

const line = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`)

const loads = (all: ReadonlyArray<Load>) => {
  const figure = (pick: (load: Load) => number) => median(all.map(pick))
  const times = (pick: (load: Load) => number) =>
    `median ${figure(pick).toFixed(0)} ms   all: ${all.map((load) => pick(load).toFixed(0)).join(" ")}`
  console.log(`\nThe first screen, empty cache, ${all.length} visits`)
  line("JavaScript until usable (<200 KB)", kilobytes(figure((load) => load.neededBytes)))
  line("... and 1.5 s later", kilobytes(figure((load) => load.scriptBytes)))
  line("everything over the wire", kilobytes(figure((load) => load.bytes)))
  line("requests, the API's included", String(figure((load) => load.requests)))
  line(
    "first paint",
    times((load) => load.paintMs)
  )
  line(
    "composer usable (<500 ms)",
    times((load) => load.usableMs)
  )
  line("layout shift (0)", Math.max(...all.map((load) => load.shift)).toFixed(4))
}

/** The web app in a real browser: the cost of loading, streaming, dragging, and leaving it open for an hour. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const answers = Number(args[0] ?? AN_HOUR)
  const desk = await startDesk(agent)
  try {
    console.log(`Chromium ${desk.browser.version()}, Node ${process.version}, loopback`)
    const visits: Array<Load> = []
    for (let visit = 0; visit < VISITS; visit++) visits.push(await measureLoad(desk))
    loads(visits)

    console.log("\nStreaming an answer at 60 pieces a second")
    for (const slower of [1, 4]) {
      const { motion, shift } = await measureStreaming(desk, slower)
      line(slower === 1 ? "this machine" : `${slower} times slower`, motionText(motion))
      line("", `layout shift ${shift.toFixed(4)}`)
    }

    console.log("\nDragging a card over a board of 1,000")
    await fillBoard(desk.url, 1_000)
    const dragging = await measureDragging(desk)
    if (dragging === null) line("the board", "this build has no board screen")
    else {
      line("board rendered", `${dragging.drawnMs.toFixed(0)} ms, ${dragging.count} cards on the page`)
      line("while dragging", motionText(dragging.motion))
      const { cardsMs, cpuMs, elements, longTasks } = await measureBoard(desk)
      line("first cards, empty cache", `${cardsMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of the page's thread in all`)
      line("", `${elements} elements, longest task ${Math.max(0, ...longTasks).toFixed(0)} ms`)
      line("while scrolling a column", motionText(await measureColumn(desk)))
    }

    console.log(
      `\nMemory of a page after streaming ${answers} answers (one every six seconds for an hour is ${AN_HOUR})`
    )
    await measureMemory(desk, answers, ({ messages, heapBytes, nodes, listeners }) =>
      line(`after ${messages}`, `${megabytes(heapBytes)} heap, ${nodes} nodes, ${listeners} listeners`)
    )
  } finally {
    await desk.stop()
  }
}
