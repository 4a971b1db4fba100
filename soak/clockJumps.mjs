// Loaded into the console before anything else: offsets its clock by the milliseconds in the named file, as if someone
// had set the machine's clock. Timers keep running as on a real machine.
import { readFileSync } from "node:fs"

const file = process.env.SOAK_CLOCK_FILE ?? ""
const RealDate = Date
let offset = 0

const read = () => {
  try {
    offset = Number(readFileSync(file, "utf8")) || 0
  } catch {
    // A full disk may leave the file empty for a moment: the clock stays where it was.
  }
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset)
    else super(...args)
  }
  static now() {
    return RealDate.now() + offset
  }
}

read()
setInterval(read, 250).unref()
