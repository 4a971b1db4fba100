// Shifts this process's clock by CLOCK_SHIFT_MS (`node --import`).
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + shift] : args))
  }
  static now() {
    return RealDate.now() + shift
  }
}
