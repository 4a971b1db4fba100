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
export const diagramTheme = (): Readonly<Record<string, string | boolean>> =>
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
