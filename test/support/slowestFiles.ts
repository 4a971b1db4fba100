import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const SHOWN = 20

const secondsOf = (file: TestModule): number => {
  const { collectDuration, duration, setupDuration } = file.diagnostic()
  return (setupDuration + collectDuration + duration) / 1000
}

/** A reporter that ends a run of many files with the slowest of them, in seconds. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(files: ReadonlyArray<TestModule>): void {
    if (files.length <= SHOWN) return
    const lines = files
      .map((file) => ({ name: relative("", file.moduleId), seconds: secondsOf(file) }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)
    console.log(`\nThe ${SHOWN} slowest of ${files.length} files:\n${lines.join("\n")}`)
  }
}
