/** npm test: sets itself up, then runs everything that must hold. */
import { bootstrap, run } from './bootstrap.mjs'

const node = bootstrap()
process.exit(await run(node, ['scripts/test.ts']))
