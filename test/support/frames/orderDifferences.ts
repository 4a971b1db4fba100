import { diffArrays } from "diff"

/** One line for each difference between two orders of events, named by the common event before it. */
export const orderDifferences = (
  subject: string,
  gateway: ReadonlyArray<string>,
  practice: ReadonlyArray<string>
): ReadonlyArray<string> => {
  let before = "the start"
  return diffArrays([...practice], [...gateway]).flatMap(({ added, removed, value }) => {
    if (!added && !removed) {
      before = value.at(-1) ?? before
      return []
    }
    const side = added ? "only the gateway sends" : "only practice sends"
    return [`${subject}, after ${before}: ${side} ${value.join(", ")}`]
  })
}
