// Imported before the program: it ends with whoever started it, however that one came to its end.
process.once("disconnect", () => process.exit())
process.channel?.unref()
