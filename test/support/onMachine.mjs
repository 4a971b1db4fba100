// Makes this process believe that another user runs it, or that it's on another system (`node --import`).
const { TEST_PLATFORM, TEST_USER } = process.env
if (TEST_PLATFORM !== undefined) Object.defineProperty(process, "platform", { value: TEST_PLATFORM })
if (TEST_USER !== undefined) process.getuid = () => Number(TEST_USER)
