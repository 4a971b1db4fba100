import mermaid from "mermaid"
import { diagramName, mayDraw } from "./diagramRules.ts"

/** Reads the page's colours as they are now, each resolved to what the browser paints. */
const withPageColours = <A>(read: (colourOf: (token: string) => string) => A): A => {
  const probe = document.createElement("i")
  probe.hidden = true
  document.body.append(probe)
  try {
    return read((token) => {
      probe.style.color = `var(--${token})`
      return getComputedStyle(probe).color
    })
  } finally {
    probe.remove()
  }
}

const isDark = (colour: string): boolean => {
  const [red = 255, green = 255, blue = 255] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return red * 0.3 + green * 0.6 + blue * 0.1 < 128
}

/** The library's variables in the page's colours. */
const diagramTheme = (): Readonly<Record<string, string | boolean>> =>
  withPageColours((colourOf) => {
    const paper = colourOf("paper")
    const sunk = colourOf("paper-sunk")
    const ink = colourOf("ink")
    const edge = colourOf("line-strong")
    return {
      darkMode: isDark(paper),
      background: paper,
      primaryColor: colourOf("accent-soft"),
      primaryTextColor: ink,
      primaryBorderColor: colourOf("accent"),
      secondaryColor: sunk,
      secondaryTextColor: ink,
      secondaryBorderColor: edge,
      tertiaryColor: sunk,
      tertiaryTextColor: ink,
      tertiaryBorderColor: edge,
      lineColor: colourOf("ink-soft"),
      textColor: ink,
      titleColor: ink,
      edgeLabelBackground: paper,
      clusterBkg: sunk,
      clusterBorder: edge,
      noteBkgColor: sunk,
      noteTextColor: ink,
      noteBorderColor: edge,
      pieStrokeColor: paper,
      pieOuterStrokeColor: edge,
      fontSize: "15px"
    }
  })

/** A diagram as a picture, in which nothing runs, loads or leads anywhere. */
export interface DrawnDiagram {
  readonly src: string
  readonly name: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Options that a diagram's text can't set, since they could affect the page or its theme. */
const OUR_SETTINGS = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "dompurifyConfig",
  "htmlLabels",
  "theme",
  "themeCSS",
  "themeVariables",
  "darkMode",
  "fontFamily",
  "altFontFamily",
  "layout"
]

let drawn = 0
let last: Promise<unknown> = Promise.resolve()

/** Where the library measures: laid out, and out of sight. */
const workplace = (): HTMLElement => {
  const place = document.createElement("div")
  place.setAttribute("aria-hidden", "true")
  place.style.cssText =
    "position:fixed;inset-block-start:0;inset-inline-start:0;inline-size:60rem;visibility:hidden;pointer-events:none;contain:strict"
  document.body.append(place)
  return place
}

const pictureOf = (svgText: string): DrawnDiagram | null => {
  const parsed = new DOMParser().parseFromString(svgText, "image/svg+xml")
  const svg = parsed.documentElement
  const [, , width = 0, height = 0] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number)
  if (svg.localName !== "svg" || !(width > 0) || !(height > 0)) return null
  for (const element of svg.querySelectorAll("script, iframe, object, embed")) element.remove()
  svg.setAttribute("width", String(Math.ceil(width)))
  svg.setAttribute("height", String(Math.ceil(height)))
  const textOf = (selector: string) => svg.querySelector(`:scope > ${selector}`)?.textContent ?? ""
  const words = [...svg.querySelectorAll("text, foreignObject")].map(({ textContent }) => textContent ?? "")
  return {
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`,
    name: diagramName([textOf("title"), textOf("desc")].filter(Boolean).join(". "), words),
    width: Math.ceil(width),
    height: Math.ceil(height)
  }
}

const draw = async (source: string): Promise<DrawnDiagram | null> => {
  if (!mayDraw(source)) return null
  const place = workplace()
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      secure: OUR_SETTINGS,
      suppressErrorRendering: true,
      htmlLabels: false,
      maxTextSize: 20_000,
      flowchart: { nodeSpacing: 32, rankSpacing: 36, padding: 10 },
      theme: "base",
      themeVariables: diagramTheme(),
      fontFamily: getComputedStyle(document.body).fontFamily
    })
    const { svg } = await mermaid.render(`diagram-${++drawn}`, source, place)
    return pictureOf(svg)
  } catch {
    return null
  } finally {
    place.remove()
  }
}

/** Draws a diagram in the page's colours; null if its text has a mistake. One is drawn after the other. */
export const drawDiagram = (source: string): Promise<DrawnDiagram | null> => {
  const next = last.then(() => draw(source))
  last = next
  return next
}
