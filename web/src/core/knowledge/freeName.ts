/** The same file name with a number before its ending: `report.pdf` becomes `report (2).pdf`. */
export const numberedName = (name: string, number: number): string => {
  const dot = name.lastIndexOf(".")
  const end = dot > 0 ? dot : name.length
  return `${name.slice(0, end)} (${number})${name.slice(end)}`
}

/** The first numbered name that isn't taken. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let number = 2
  while (taken.has(numberedName(name, number))) number += 1
  return numberedName(name, number)
}
