import { Schema } from "effect"

/** Milliseconds between frames and of each long task during a measurement. */
export const Motion = Schema.Struct({ frames: Schema.Array(Schema.Finite), longTasks: Schema.Array(Schema.Finite) })

/** A percentile. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The frames of a motion in one line. */
export const motionText = ({ frames, longTasks }: typeof Motion.Type): string => {
  const seconds = frames.reduce((sum, frame) => sum + frame, 0) / 1000
  const shown = (ms: number) => `${ms.toFixed(1)} ms`
  return [
    `${(frames.length / seconds).toFixed(0)} frames a second over ${seconds.toFixed(1)} s`,
    `middle ${shown(median(frames))}`,
    `95 % below ${shown(quantile(frames, 0.95))}`,
    `worst ${shown(Math.max(...frames))}`,
    `${longTasks.length} long tasks`
  ].join(", ")
}

export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`
