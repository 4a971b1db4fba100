// Imported before the program, so that it ends with its parent process, however that ends.
process.once("disconnect", () => process.exit())
process.channel?.unref()
