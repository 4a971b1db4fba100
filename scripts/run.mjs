// This file must run on any Node that has `import()`: old syntax only, and no imports until the version is checked.
const OLDEST = 24
const REPAIR = "npm ci --include=dev --ignore-scripts=false"

const name = process.argv[2]
const refuse = (why) => {
  console.error(`agent-console: ${why}: run \`${REPAIR}\` in this folder, then try again`)
  process.exit(6)
}

/** `node scripts/run.mjs start …`: runs a script that may need what npm was told to leave out, and says so if it did. */
if (Number(process.versions.node.split(".")[0]) < OLDEST) {
  refuse(
    `the console needs Node ${OLDEST} or newer, this is ${process.version}, and npm hasn't brought one along, because its settings or NODE_ENV leave out packages or their scripts`
  )
} else {
  process.argv.splice(2, 1)
  import(`./${name}.ts`)
}

export {}
