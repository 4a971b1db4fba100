import { component$ } from "@builder.io/qwik"
import activity from "../../icons/activity.svg?shapes"
import archive from "../../icons/archive.svg?shapes"
import arrowDown from "../../icons/arrow-down.svg?shapes"
import arrowLeft from "../../icons/arrow-left.svg?shapes"
import arrowUp from "../../icons/arrow-up.svg?shapes"
import bot from "../../icons/bot.svg?shapes"
import brain from "../../icons/brain.svg?shapes"
import chart from "../../icons/chart-candlestick.svg?shapes"
import check from "../../icons/check.svg?shapes"
import chevronRight from "../../icons/chevron-right.svg?shapes"
import clock from "../../icons/clock.svg?shapes"
import command from "../../icons/command.svg?shapes"
import copy from "../../icons/copy.svg?shapes"
import cornerDownRight from "../../icons/corner-down-right.svg?shapes"
import ellipsis from "../../icons/ellipsis.svg?shapes"
import eye from "../../icons/eye.svg?shapes"
import eyeOff from "../../icons/eye-off.svg?shapes"
import file from "../../icons/file.svg?shapes"
import hourglass from "../../icons/hourglass.svg?shapes"
import inbox from "../../icons/inbox.svg?shapes"
import kanban from "../../icons/kanban.svg?shapes"
import logOut from "../../icons/log-out.svg?shapes"
import menu from "../../icons/menu.svg?shapes"
import messageSquare from "../../icons/message-square.svg?shapes"
import minus from "../../icons/minus.svg?shapes"
import monitor from "../../icons/monitor.svg?shapes"
import moon from "../../icons/moon.svg?shapes"
import panelLeft from "../../icons/panel-left.svg?shapes"
import paperclip from "../../icons/paperclip.svg?shapes"
import pencil from "../../icons/pencil.svg?shapes"
import pin from "../../icons/pin.svg?shapes"
import play from "../../icons/play.svg?shapes"
import plus from "../../icons/plus.svg?shapes"
import refresh from "../../icons/refresh-cw.svg?shapes"
import rotateCcw from "../../icons/rotate-ccw.svg?shapes"
import search from "../../icons/search.svg?shapes"
import settings from "../../icons/settings.svg?shapes"
import shield from "../../icons/shield-alert.svg?shapes"
import sliders from "../../icons/sliders-horizontal.svg?shapes"
import square from "../../icons/square.svg?shapes"
import sun from "../../icons/sun.svg?shapes"
import trash from "../../icons/trash-2.svg?shapes"
import triangleAlert from "../../icons/triangle-alert.svg?shapes"
import wrench from "../../icons/wrench.svg?shapes"
import x from "../../icons/x.svg?shapes"

const SHAPES = {
  activity,
  archive,
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
  command,
  copy,
  "corner-down-right": cornerDownRight,
  ellipsis,
  eye,
  "eye-off": eyeOff,
  hourglass,
  inbox,
  kanban,
  "log-out": logOut,
  menu,
  "message-square": messageSquare,
  minus,
  monitor,
  moon,
  "panel-left": panelLeft,
  paperclip,
  pin,
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

export type IconName = keyof typeof SHAPES

/** Icons that point along the line; where text runs from right to left, they point the other way. */
const POINTING: ReadonlySet<IconName> = new Set(["arrow-left", "chevron-right", "corner-down-right", "log-out"])

/** Draws the shapes of an icon. */
export const LineIcon = (props: { readonly shapes: string; readonly isPointing?: boolean }) => (
  <svg
    class={props.isPointing === true ? "icon is-pointing" : "icon"}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    dangerouslySetInnerHTML={props.shapes}
  />
)

/** The same icon drawn inline, for where there are a thousand of them. */
export const Glyph = (props: { readonly name: IconName }) => {
  const shapes = SHAPES[props.name]
  return <LineIcon shapes={shapes} isPointing={POINTING.has(props.name)} />
}

/** A decorative line icon; the control around it carries the name. */
export const Icon = component$<{ readonly name: IconName }>((props) => <Glyph name={props.name} />)
