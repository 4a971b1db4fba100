import type { Fuzz } from "../fuzz.ts"
import { PIECES } from "./oddTargets.ts"

const some = (fuzz: Fuzz, pieces: ReadonlyArray<string>): string => pieces[fuzz.below(pieces.length)] ?? ""

/** A byte of a target; a line's end would begin another line. */
const byte = (fuzz: Fuzz): string => {
  const code = fuzz.below(fuzz.chance(0.7) ? 0x80 : 0x100)
  return code === 0x0a || code === 0x0d ? "%" : String.fromCharCode(code)
}

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`

const changed = (fuzz: Fuzz, text: string): string => {
  const at = fuzz.below(text.length + 1)
  const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  switch (fuzz.below(8)) {
    case 0:
      return before + byte(fuzz) + here + after
    case 1:
      return before + after
    case 2:
      return before + (here === "" ? "%" : escaped(here)) + after
    case 3:
      return before + here.toUpperCase() + after
    case 4:
      return text.replace(/\//g, (slash) => (fuzz.chance(0.4) ? some(fuzz, PIECES.slashes) : slash))
    case 5:
      return before + escaped(byte(fuzz)) + here + after
    case 6:
      return before + here + here + after
    default:
      return text.replaceAll("%", () => (fuzz.chance(0.5) ? "%25" : "%"))
  }
}

/** A path in a form of pieces and changes that chance puts together. */
export const randomTarget = (fuzz: Fuzz, path: string, host: string): string => {
  let target = path
  while (fuzz.chance(0.4)) target = changed(fuzz, target)
  if (fuzz.chance(0.3)) target += some(fuzz, PIECES.tails)
  if (fuzz.chance(0.3)) target = some(fuzz, PIECES.leads) + target.replace(/^\//, "")
  if (fuzz.chance(0.4)) {
    const scheme = fuzz.chance(0.6) ? "http" : some(fuzz, PIECES.schemes)
    const authority = fuzz.chance(0.4) ? host : some(fuzz, PIECES.authoritiesOf(host))
    target = `${scheme}${fuzz.pick<string>(["://", "://", "://", ":", ":/", ":\\\\"])}${authority}${target}`
  }
  if (fuzz.chance(0.3)) target = some(fuzz, PIECES.prefixes) + (fuzz.chance(0.5) ? target.replace(/^\//, "") : target)
  while (fuzz.chance(0.2)) target = changed(fuzz, target)
  return target === "" ? "*" : target
}
