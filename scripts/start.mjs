/** npm start: installs what is missing, builds the console when its sources changed, serves. */
import { bootstrap, run } from './bootstrap.mjs'
import { SERVER } from './server.mjs'

const node = bootstrap()
const built = await run(node, ['scripts/build.ts'])
process.exit(built === 0 ? await run(node, SERVER) : built)
