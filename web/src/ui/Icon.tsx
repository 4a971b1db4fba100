import { component$ } from "@builder.io/qwik"
import activity from "lucide-static/icons/activity.svg?raw"
import arrowDown from "lucide-static/icons/arrow-down.svg?raw"
import arrowLeft from "lucide-static/icons/arrow-left.svg?raw"
import arrowUp from "lucide-static/icons/arrow-up.svg?raw"
import bot from "lucide-static/icons/bot.svg?raw"
import brain from "lucide-static/icons/brain.svg?raw"
import chart from "lucide-static/icons/chart-candlestick.svg?raw"
import check from "lucide-static/icons/check.svg?raw"
import chevronRight from "lucide-static/icons/chevron-right.svg?raw"
import clock from "lucide-static/icons/clock.svg?raw"
import copy from "lucide-static/icons/copy.svg?raw"
import cornerDownRight from "lucide-static/icons/corner-down-right.svg?raw"
import ellipsis from "lucide-static/icons/ellipsis.svg?raw"
import eye from "lucide-static/icons/eye.svg?raw"
import eyeOff from "lucide-static/icons/eye-off.svg?raw"
import file from "lucide-static/icons/file.svg?raw"
import hourglass from "lucide-static/icons/hourglass.svg?raw"
import kanban from "lucide-static/icons/kanban.svg?raw"
import logOut from "lucide-static/icons/log-out.svg?raw"
import menu from "lucide-static/icons/menu.svg?raw"
import messageSquare from "lucide-static/icons/message-square.svg?raw"
import minus from "lucide-static/icons/minus.svg?raw"
import monitor from "lucide-static/icons/monitor.svg?raw"
import moon from "lucide-static/icons/moon.svg?raw"
import paperclip from "lucide-static/icons/paperclip.svg?raw"
import pencil from "lucide-static/icons/pencil.svg?raw"
import play from "lucide-static/icons/play.svg?raw"
import plus from "lucide-static/icons/plus.svg?raw"
import refresh from "lucide-static/icons/refresh-cw.svg?raw"
import rotateCcw from "lucide-static/icons/rotate-ccw.svg?raw"
import search from "lucide-static/icons/search.svg?raw"
import settings from "lucide-static/icons/settings.svg?raw"
import shield from "lucide-static/icons/shield-alert.svg?raw"
import sliders from "lucide-static/icons/sliders-horizontal.svg?raw"
import square from "lucide-static/icons/square.svg?raw"
import sun from "lucide-static/icons/sun.svg?raw"
import trash from "lucide-static/icons/trash-2.svg?raw"
import triangleAlert from "lucide-static/icons/triangle-alert.svg?raw"
import wrench from "lucide-static/icons/wrench.svg?raw"
import x from "lucide-static/icons/x.svg?raw"

const RAW = {
  activity,
  trash,
  pencil,
  file,
  "arrow-left": arrowLeft,
  "arrow-down": arrowDown,
  "arrow-up": arrowUp,
  bot,
  brain,
  chart,
  check,
  "chevron-right": chevronRight,
  clock,
  copy,
  "corner-down-right": cornerDownRight,
  ellipsis,
  eye,
  "eye-off": eyeOff,
  hourglass,
  kanban,
  "log-out": logOut,
  menu,
  "message-square": messageSquare,
  minus,
  monitor,
  moon,
  paperclip,
  play,
  plus,
  refresh,
  "rotate-ccw": rotateCcw,
  search,
  settings,
  shield,
  sliders,
  square,
  sun,
  "triangle-alert": triangleAlert,
  wrench,
  x
} as const

export type IconName = keyof typeof RAW

const shapes = (raw: string) => raw.slice(raw.indexOf(">", raw.indexOf("<svg")) + 1, raw.lastIndexOf("</svg>")).trim()

/** The same icon drawn in place, for where there are a thousand of them. */
export const Glyph = (props: { readonly name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    dangerouslySetInnerHTML={shapes(RAW[props.name])}
  />
)

/** A decorative line icon; the control around it carries the name. */
export const Icon = component$<{ readonly name: IconName }>((props) => <Glyph name={props.name} />)
