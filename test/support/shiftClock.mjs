// Sets this process's clock wrong by CLOCK_SHIFT_MS (`node --import`), as that of a machine nobody looks after.
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
