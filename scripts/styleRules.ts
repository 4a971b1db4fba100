/** Where colours, sizes and motion have their values. */
const TOKENS = "web/src/styles/tokens.css"

const DEFINED = /(--[a-z][\w-]*)(?=\s*:|["'`])/g
const USED = /var\(\s*(--[a-z][\w-]*)\s*\)/g

const COMMENT = /\/\*[\s\S]*?\*\//g
const OWN_MOTION = /\b(?:transition|animation)(?:-[a-z]+)?:[^;]*?(?<![\w.-])[\d.]*\d(?:ms|s)\b/
const OWN_EDGE = /\bborder: 1px solid var\(--line\)/
const HEIGHT = /\b(?:min-)?(?:block-size|height): (\d+)px/g
const PHYSICAL =
  /(?<![\w-])(?:margin|padding|border|inset)-(?:left|right)\b|(?<![\w-])(?:left|right|text-align): ?(?:left|right|-?[\d.]+)/

/** Heights in this range are those of controls and bars, which have tokens. */
const isOfControl = (pixels: number): boolean => pixels >= 24 && pixels <= 60

/** The custom properties that a stylesheet, script or component gives a value. */
export const definedProperties = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(DEFINED)].map(([, name = ""]) => name)

/** A stylesheet's ways around the page's one system; `file` is relative to the project. */
export const styleProblems = (file: string, text: string, defined: ReadonlySet<string>): ReadonlyArray<string> => {
  const css = text.replace(COMMENT, " ")
  const problems: Array<string> = []
  for (const name of new Set([...css.matchAll(USED)].map(([, used = ""]) => used)))
    if (!defined.has(name)) problems.push(`${name} has no value anywhere`)
  if (file === TOKENS) return problems
  if (OWN_MOTION.test(css))
    problems.push("a duration of its own: --fast, --slow, --turn, --breath, --beat and --late are motion")
  if (OWN_EDGE.test(css)) problems.push("an edge in the colour of lines: --edge is seen in every theme")
  if (PHYSICAL.test(css)) problems.push("a left or right: logical properties follow the direction of reading")
  for (const [declaration, pixels] of css.matchAll(HEIGHT))
    if (isOfControl(Number(pixels)))
      problems.push(
        `"${declaration}": --control is the height of controls, --head that of bars, rem grows with the text`
      )
  return problems
}

const IN_BRACKETS = /\([^()]*\)/g
const A_CLASS = /^\.[\w-]+$/

/** What stands for itself in a list of selectors, not within `:is()` or the like. */
const selectorsOf = (list: string): ReadonlyArray<string> => {
  let rest = list
  while (rest.search(IN_BRACKETS) >= 0) rest = rest.replace(IN_BRACKETS, "")
  return rest.split(",").map((selector) => selector.trim())
}

/** The classes to which a stylesheet gives a look wherever they are: each is a whole selector. */
export const bareClasses = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const around: Array<string> = []
  for (const [, before = "", end] of text.replace(COMMENT, " ").matchAll(/([^{};]*)([{};])/g)) {
    const list = before.trim()
    if (end === "}") around.pop()
    if (end !== "{") continue
    if (around.every((one) => one.startsWith("@")))
      for (const selector of selectorsOf(list)) if (A_CLASS.test(selector)) found.add(selector)
    around.push(list)
  }
  return found
}

/**
 * The classes with a look in more than one stylesheet. A screen's stylesheet is loaded with the screen and stays, so that
 * the look of such a class depends on where a person has been before.
 */
export const doubledClasses = (sheets: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const places = new Map<string, Array<string>>()
  for (const [file, text] of sheets)
    for (const name of bareClasses(text)) places.set(name, [...(places.get(name) ?? []), file])
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name} has a look in ${files.join(" and ")}: the one that is loaded last wins`)
}
