import { spawnSync } from "node:child_process"

/** Whether recordings can be converted here. */
export const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0
if (!hasFfmpeg) console.info("the conversion of audio is not tested: ffmpeg can't be run here")
