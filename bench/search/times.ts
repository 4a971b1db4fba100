/** The value below which a share of all values is. */
export const at = (values: ReadonlyArray<number>, share: number): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)
}

/** Prints how long something took, time after time. */
export const report = (name: string, times: ReadonlyArray<number>, aim = ""): void =>
  console.log(
    `${name}: p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, worst ${at(times, 1)} ms (${times.length} times${aim})`
  )

/** Milliseconds of processor time that this process has used, which other work on the machine affects little. */
export const processorNow = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** Resident memory of this process now, in megabytes. */
export const residentNow = (): number => process.memoryUsage().rss / 1024 / 1024
