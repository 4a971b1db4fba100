/** How many names there are: five letters and digits. Two texts with one name fail a test. */
const NAMES = 36 ** 5

/** A text's name in the files of the languages, which are much smaller with names than with the English texts. */
export const textKey = (text: string): string => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % NAMES
  return sum.toString(36)
}
