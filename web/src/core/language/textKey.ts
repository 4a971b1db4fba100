/** How many names there are: four letters and digits. */
const NAMES = 36 ** 4

/** With this one no two texts have one name. A test says when a new text does: then change it. */
const FACTOR = 257

/**
 * A text's name in the files of the languages, which are much smaller with names than with the English texts.
 * `public/offline.js`, which comes without modules, does the same.
 */
export const textKey = (text: string): string => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * FACTOR + text.charCodeAt(at)) % NAMES
  return sum.toString(36)
}
